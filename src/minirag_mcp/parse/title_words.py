"""Words that do not tell one document from another, by language. All in `casefold` form.

Seen as the first heading, or the file name, of many documents of one set: office templates, papers, manuals,
cameras, scanners and "save as" dialogs.
"""

_BOILERPLATE_BY_LANGUAGE: dict[str, str] = {
    "en": """
        abstract; about; about this document; about this guide; acknowledgements; acknowledgments;
        annex; appendix;
        approval; approval sheet; background; basic provisions; body; change history; change log;
        change record;
        changelog; changes; conclusion; content; contents; copyright; cover; cover page;
        definitions; description;
        disclaimer; document control; document history; executive summary; foreword; general;
        general information;
        general provisions; getting started; glossary; home; index; intro; introduction; legal
        notice; license; main;
        notes; notice; overview; preamble; preface; purpose; purpose and scope; readme; read me; references;
        release notes; revision history; revisions; scope; summary; table of contents; terms and definitions;
        title; title page; toc; untitled; version history
    """,
    "ru": """
        аннотация; благодарности; введение; вводная часть; вступление; глоссарий; заключение; история версий;
        история документа; история изменений; лист изменений; лист ознакомления; лист регистрации изменений;
        лист согласования; лист утверждения; назначение; назначение и область применения; общая информация;
        общая часть; общие данные; общие положения; общие сведения; область применения; обозначения
        и сокращения;
        оглавление; описание; определения; определения и сокращения; основные положения; перечень сокращений;
        предисловие; приложение; реферат; содержание; термины и определения; термины и сокращения;
        термины, определения и сокращения; титульный лист; цель; цель и область применения; цели и задачи
    """,
    "uk": """
        анотація; вступ; загальні положення; загальна інформація; загальні відомості; зміст; історія змін;
        передмова; призначення; сфера застосування; терміни та визначення; висновки; додаток; лист змін
    """,
    "be": "агульныя палажэнні; змест; уводзіны; прадмова",
    "bg": "въведение; общи положения; предговор; съдържание; увод",
    "sr": "увод; опште одредбе; садржај; предговор; opšte odredbe; sadržaj; uvod; predgovor",
    "de": """
        abkürzungsverzeichnis; allgemeine bestimmungen; allgemeines; änderungsverzeichnis;
        änderungshistorie; anhang;
        begriffsbestimmungen; danksagung; deckblatt; einführung; einleitung; geltungsbereich;
        impressum; inhalt;
        inhaltsverzeichnis; revisionsverlauf; titelseite; überblick; übersicht; versionsverlauf;
        vorbemerkung; vorwort;
        zusammenfassung; zweck; zweck und geltungsbereich
    """,
    "fr": """
        à propos; annexe; avant-propos; conclusion; définitions; dispositions générales;
        généralités; glossaire;
        historique des modifications; historique des révisions; historique des versions; introduction; objet;
        page de garde; préambule; préface; remerciements; résumé; sommaire; table des matières;
        champ d'application
    """,
    "es": """
        ámbito de aplicación; anexo; agradecimientos; contenido; control de cambios; disposiciones generales;
        generalidades; glosario; historial de cambios; historial de revisiones; índice; índice
        general; introducción;
        objeto; portada; prefacio; preámbulo; presentación; prólogo; resumen; tabla de contenido;
        tabla de contenidos
    """,
    "pt": """
        agradecimentos; anexo; apresentação; conteúdo; disposições gerais; glossário; histórico de alterações;
        histórico de revisões; índice; introdução; objetivo; prefácio; preâmbulo; resumo; sumário
    """,
    "it": """
        ambito di applicazione; allegato; cronologia delle revisioni; disposizioni generali;
        generalità; glossario;
        indice; indice generale; introduzione; prefazione; premessa; ringraziamenti; scopo; sommario
    """,
    "nl": "inhoud; inhoudsopgave; inleiding; algemene bepalingen; voorwoord; samenvatting; versiebeheer; bijlage",
    "pl": """
        historia zmian; podsumowanie; postanowienia ogólne; przedmowa; przepisy ogólne; spis treści;
        streszczenie;
        wprowadzenie; wstęp; załącznik; zakres
    """,
    "cs": "obsah; předmluva; souhrn; úvod; všeobecná ustanovení; obecná ustanovení; historie změn; příloha",
    "ro": "cuprins; dispoziții generale; introducere; prefață; rezumat",
    "hu": "általános rendelkezések; bevezetés; előszó; tartalom; tartalomjegyzék; összefoglalás",
    "sv": "förord; innehåll; innehållsförteckning; inledning; introduktion; sammanfattning; revisionshistorik",
    "da": "forord; indhold; indholdsfortegnelse; indledning; resumé",
    "nb": "forord; innhold; innholdsfortegnelse; innledning; sammendrag",
    "fi": "esipuhe; johdanto; sisällys; sisällysluettelo; tiivistelmä",
    "el": "εισαγωγή; περιεχόμενα; πίνακας περιεχομένων; πρόλογος; περίληψη; γενικές διατάξεις",
    "tr": "amaç; genel hükümler; giriş; içindekiler; kapsam; önsöz; özet; amaç ve kapsam; revizyon geçmişi",
    "ar": "أحكام عامة; المحتويات; الفهرس; جدول المحتويات; فهرس المحتويات; مقدمة; المقدمة; ملخص; تمهيد",
    "fa": "مقدمه; فهرست; فهرست مطالب; چکیده; پیشگفتار",
    "he": "מבוא; הקדמה; תוכן; תוכן עניינים; תוכן העניינים; תקציר",
    "hi": "परिचय; प्रस्तावना; विषय सूची; विषय-सूची; अनुक्रमणिका; सारांश; भूमिका",
    "th": "บทนำ; สารบัญ; คำนำ; บทคัดย่อ; บททั่วไป",
    "vi": "giới thiệu; lời nói đầu; lời mở đầu; mục lục; quy định chung; tóm tắt; mở đầu",
    "id": "daftar isi; ketentuan umum; kata pengantar; pendahuluan; ringkasan",
    "zh": """
        目录; 目錄; 引言; 前言; 序言; 序; 简介; 簡介; 概述; 绪论; 緒論; 摘要; 总则; 總則; 导言; 導言; 介绍; 介紹;
        修订记录; 修訂記錄; 修订历史; 修訂歷史; 变更记录; 變更記錄; 版本历史; 适用范围; 適用範圍; 封面; 附录; 附錄
    """,
    "ja": """
        はじめに; まえがき; 前書き; 目次; 序文; 序章; 概要; 総則; 要旨; 導入; 序論; 改訂履歴; 変更履歴; 更新履歴;
        表紙; 適用範囲; 目的; 付録; イントロダクション
    """,
    "ko": "개요; 들어가며; 머리말; 목차; 서론; 서문; 소개; 요약; 총칙; 개정 이력; 변경 이력; 부록; 목적",
}

_GENERIC_BY_LANGUAGE: dict[str, str] = {
    "en": """
        attachment attachments book copy copies dcim doc docs document documents docx download
        downloads draft dsc dscf dscn
        dvc edited eng export exported fax file files final image images img imgp index jpg jpeg
        latest mov mvi new note
        notes of old output page pages pano paper pdf photo photos pic picture pictures png ppt pptx
        presentation print
        pxl readme recording rev revised save saved scan scanned scanner scans screen screenshot
        screenshots shot sheet
        slide slides spreadsheet temp template test text the tmp txt unnamed untitled upload ver
        version vid video vlc
        whatsapp word workbook worksheet xls xlsx html htm at am pm v x a an my
    """,
    "ru": """
        без безымянный безымянная версия вложение документ документа документы документов итог
        итоговый итоговая копия
        копии лист изображение изображения имени именования картинка книга набросок названия новая
        новое новый последний
        последняя презентация презентации рисунок скан сканы сканирование сканированный скриншот
        снимок экрана стр
        страница текст текстовый файл файла фото фотография финал финальный финальная черновик шаблон от и
    """,
    "uk": """
        без безіменний документ документа документи зображення копія копії новий нова нове
        презентація скан скріншот
        знімок екрана сторінка текст файл фото чернетка версія аркуш
    """,
    "de": """
        ablage anlage anhang bild bildschirmfoto bilder datei dokument dokumente entwurf foto kopie
        mappe neu neue neuer
        neues ohne präsentation scan seite tabelle text titel unbenannt unbenannte unbenanntes
        version vorlage von
    """,
    "fr": """
        brouillon capture classeur copie d de diapositive document du écran ecran fichier feuille
        final image la modèle
        nouveau nouvelle numérisation page photo présentation sans texte titre version
    """,
    "es": """
        archivo borrador captura copia de documento documentos escaneado escaneo fichero foto hoja
        imagen libro nueva
        nuevo página pantalla plantilla presentación sin texto título versión final
    """,
    "pt": """
        arquivo captura cópia copia de digitalização documento ecrã ficheiro folha foto imagem nova
        novo página planilha
        rascunho sem tela texto título apresentação versão pasta
    """,
    "it": """
        bozza cartella copia di documento file foglio foto immagine nuova nuovo pagina presentazione
        scansione schermata
        senza testo titolo versione
    """,
    "pl": """
        arkusz bez dokument kopia nazwy nowy nowa obraz plik prezentacja skan strona
        tytułu wersja zdjęcie zeszyt zrzut ekranu
    """,
    "cs": "bez dokument kopie list názvu nový obrázek prezentace sešit snímek soubor sken strana",
    "nl": """
        afbeelding bestand document foto kopie map naamloos nieuw nieuwe pagina
        presentatie scherm schermafbeelding van werkblad
    """,
    "sv": "bild dokument fil kopia namnlös ny nytt presentation sida skärmavbild av",
    "tr": "adsız belge dosya fotoğraf görüntü kopya kopyası resim sayfa sunu tarama yeni ekran taslak sürüm",
    "zh": """
        文档 文檔 文件 副本 复制 複製 新建 新建文档 新建文本文档 新文件 未命名 无标题 無標題 图片 圖片 照片
        扫描 掃描 扫描件
        截图 截圖 屏幕截图 演示文稿 工作簿 工作表 草稿 模板 最终版 微信图片
    """,
    "ja": """
        新規 新規文書 新規ドキュメント 新しい 新しいドキュメント 文書 書類 ドキュメント ファイル コピー
        のコピー 無題 名称未設定
        画像 写真 スキャン スクリーンショット スライド プレゼンテーション ブック シート 下書き 最終版
    """,
    "ko": """
        문서 새 새문서 파일 사본 복사본 제목 없음 제목없음 이미지 사진 스캔 스크린샷 시트 통합 프레젠테이션
        초안 최종
    """,
    "ar": "جديد مستند ملف نسخة صورة بدون عنوان من",
    "el": "αντίγραφο έγγραφο αρχείο νέο εικόνα χωρίς τίτλο",
    "he": "מסמך חדש עותק של קובץ תמונה ללא כותרת",
}


def _phrases(by_language: dict[str, str], separator: str | None) -> frozenset[str]:
    words = (" ".join(word.split()).casefold() for text in by_language.values() for word in text.split(separator))
    return frozenset(word for word in words if word)


BOILERPLATE = _phrases(_BOILERPLATE_BY_LANGUAGE, ";")
"""Headings of parts that many documents have in common."""

GENERIC = _phrases(_GENERIC_BY_LANGUAGE, None)
"""Words of file names that are given without thought."""
