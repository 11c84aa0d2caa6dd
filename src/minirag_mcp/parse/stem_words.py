"""Words of names that are given without thought, by language.

What programs, cameras, scanners and recorders call a new file, a copy, a page or a picture, and what hurried people
add to it. Compared in `folded` form.
"""

from collections.abc import Sequence

from minirag_mcp.parse.title_text import folded, is_unspaced

_GENERIC_BY_LANGUAGE: dict[str, str] = {
    "names of files": """
        csv dcim doc docm docx dotx dsc dscf dscn dvc dvi epub gmt htm html img imgp imgs jpeg jpg md mov mp mvi
        odp ods odt pano pdf png pps ppsx ppt pptx prn pxl rtf scn scr srt sub tif tiff tmp txt vid vlc vtt xls
        xlsm xlsx xps wp
    """,
    "en": """
        a am an and at attachment attachments audio backup camscanner blank body book by clipboard
        converted copies copy default document documents download downloads draft edit edited empty en eng
        export exported fax file files final fixed for from image images in index my new no
        note notes of old on original page paper photo photos pic picture pictures pm
        presentation presentations preview print printed printout readme recording recordings rec rev revised
        revision sample save saved scan scanned scanner scanning scans screen screencast screenshot screenshots
        sheet shot slide slides slideshow spreadsheet subtitle subtitles temp template templates test text the
        title to transcript transcription undefined unknown unnamed unspecified anonymous untitled up upload
        uploaded ver version vid video videos v with without word workbook worksheet x
    """,
    "ru": """
        аудио без безымянный безымянная безымянное безымянные в версия видео вложение вложения вставка голосовое
        для документ документа документе документов документы дубликат заметка заметки заголовка заголовок
        запись звук из изображение изображения имени именования исправленный исправленная исправлено итог
        итоговая итоговый итоговые итого картинка картинки книга копии копирование копия лист листа макет на
        набросок название названия не неизвестный новая новое новые новый от отредактированный отсканированный
        отсканировано окончательный пакет последний последняя последнее правка правки презентации презентация
        редакция рисунок с скан сканировано сканирование сканированный сканы скачано скриншот слайд слайды
        снимок снимки сохранено старая старый стр страница страницы текст текста текстовый тест файл файла файлы
        финал финальная финальный фото фотография фотографии черновик чистовик шаблон экрана и я
    """,
    "uk": """
        аркуш без безіменний безіменна версія відео вкладення документ документа документи зображення знімок
        книга копія копії лист малюнок назви назва новий нова нове остаточна остаточний презентація презентації
        рисунок скан скановано скріншот слайд сторінка таблиця текст текстовий файл файлу фото чернетка шаблон
        екрана екран запис з від та й
    """,
    "be": """
        аркуш без дакумент дакумента копія кніга назвы новы новая прэзентацыя скан старонка тэкставы файл фота
        чарнавік
    """,
    "bg": """
        без документ документа изображение име копие на книга лист нов нова ново презентация сканиран снимка
        страница текстов файл чернова
    """,
    "sr": """
        без документ документа копија књига лист наслова нов нова нови ново презентација скенирано слика снимак
        страна страница табела текст текстуални фајл датотека екрана bez dokument dokumenta kopija knjiga
        naslova naziva nov nova novi novo prezentacija prezentacije radna skenirano slika snimak snimka zaslona
        strana stranica tekst tekstni fajl datoteka ekrana slajd sveska
    """,
    "sl": """
        brez dokument imena kopija delovni zvezek naslova nov nova novo predstavitev posnetek zaslona slika
        stran optično prebrano besedilo datoteka osnutek besedilni
    """,
    "de": """
        ablage abschrift als am anhang anlage audio aufnahme aufzeichnung ausdruck bearbeitet bild bilder
        bildschirmaufnahme bildschirmfoto blatt datei dateien das der die dokument dokumente ein eine endfassung
        endgültig entwurf exemplar folie folien fassung foto fotos für gescannt gescanntes kein keine kopie
        kopien leer leeres mappe microsoft mit namenlos namens neu neue neuer neues ohne präsentation
        präsentationen sammelmappe scan scans seite seiten sicherung sprachaufnahme tabelle tabellen test text
        textdokument titel um unbekannt unbenannt unbenannte unbenannter unbenanntes und version video vom von
        vorlage vorläufig
    """,
    "fr": """
        à a au audio avec brouillon capture classeur copie copies d de des diapo diapositive diapositives
        document documents du écran ecran enregistrement et feuil feuille fichier fichiers final finale fusionné
        image images inconnu l la le les modèle modele modifié note notes nouveau nouvel nouvelle numérisation
        numérisé numériser page par photo photos pièce jointe pour présentation sans sauvegarde scan
        scanné test texte titre un une version vidéo vide vierge
    """,
    "es": """
        a adjunto adjuntos al archivo archivos audio blanco borrador captura capturas con copia copias de del
        desconocido diapositiva diapositivas documento documentos el en escanear escaneada escaneado escaneo
        fichero final foto fotos grabación hoja imagen imágenes la las libro modelo modificado notas nueva nuevo
        o página páginas pantalla para plantilla presentación presentaciones sin texto título un una versión
        vídeo video y
    """,
    "ca": """
        de document sense títol nou nova còpia llibre imatge pantalla captura fitxer arxiu presentació
        pàgina esborrany diapositiva
    """,
    "pt": """
        a anexo anexos apresentação apresentações arquivo arquivos áudio branco captura com cópia cópias copia
        de desconhecido digitalizado digitalizada digitalização digitalizar do documento documentos da ecrã em
        ficheiro ficheiros final folha foto fotos gravação imagem imagens livro modelo modificado notas nova
        novo o página páginas pasta para planilha rascunho sem slide slides tela teste texto título um uma
        versão vídeo
    """,
    "it": """
        a allegato allegati alle audio bozza cartel cartella con copia copie definitivo della di diapositiva
        diapositive documento documenti file finale foglio foto fotografia immagine immagini libro modello
        modificato note nuova nuovo pagina pagine presentazione presentazioni registrazione scansione scansioni
        schermata schermo sconosciuto senza standard testo titolo un una versione video vuoto
    """,
    "ro": """
        caiet captură copie de document documente ecran fără fișier foaie fotografie imagine nou nouă pagină
        prezentare registru scanat scanare text titlu versiune al a lui pentru
    """,
    "nl": """
        afbeelding afbeeldingen bestand bestanden bijlage blad conceptversie dia document documenten een
        foto gescand gescande het kopie leeg naamloos naamloze nieuw nieuwe om opname pagina presentatie
        scan schermafbeelding schermafdruk schermopname sjabloon tekst tekstdocument titel van versie video
        werkblad werkmap zonder definitief
    """,
    "pl": """
        arkusz bez brak dokument dokumenty dokumentu ekranu kopia kopie nagranie nazwy nieznany notatka nowa
        nowe nowy o obraz obrazek ostateczna ostateczny plik pliki prezentacja prezentacje programu robocza
        roboczy skan skanowanie skany slajd strona strony szablon tekst tekstowy tytułu wersja wideo zapis
        zdjęcia zdjęcie zeskanowany zeszyt zrzut załącznik z pusty
    """,
    "cs": """
        aplikace bez dokument dokumenty kopie koncept konečná naskenovaný naskenováno název názvu nová nové
        nový obrazovky obrázek prezentace příloha sešit sken skenování snímek soubor strana stránka text textový
        titulu verze video ve v z záznam šablona
    """,
    "sk": """
        bez dokument dokumenty kópia koncept hárok naskenovaný názov názvu nová nové nový obrazovky obrázok
        prezentácia programu príloha skenovanie snímka súbor strana text textový titulu verzia zošit šablóna
    """,
    "hu": """
        a az alapján cím címtelen dokumentum dokumentumok diasor dia új másolat másolata munkafüzet munkalap
        bemutató beolvasás beolvasott fájl kép képernyőkép képernyőfotó lap melléklet nélküli névtelen oldal
        piszkozat szöveg szöveges sablon verzió végleges vázlat
    """,
    "lt": """
        be dokumentas dokumento failas kopija knyga lapas nauja naujas nuotrauka pavadinimo pateiktis puslapis
        skaidrė nuskaityta nuskaitymas ekrano vaizdas tekstinis juodraštis
    """,
    "lv": """
        bez attēls dokuments dokumenta ekrānuzņēmums fails grāmata jauns jauna kopija lapa melnraksts nosaukuma
        prezentācija skenēts slaids teksta
    """,
    "et": """
        dokument ekraanipilt esitlus fail foto koopia leht lehekülg mustand nimeta nimetu pealkirjata pilt
        skannitud slaid tekst tekstidokument töövihik uus versioon
    """,
    "sv": """
        anteckning av bifogad bild bilaga blad dokument fil filer foto inskannad inspelning kalkylblad kopia
        namnlös namnlöst ny nya nytt okänd presentation sida skanna skannad skannat skanning skärmavbild
        skärmbild skärmdump slutlig text textdokument titel utan utkast version kl
    """,
    "da": """
        af ark billede bilag dokument fil foto kladde kopi navn ny nye nyt præsentation projektmappe scannet
        scanning skabelon skærmbillede skærmoptagelse slide tekst tekstdokument titel uden unavngivet
        ukendt version kl endelig
    """,
    "nb": """
        ark arbeidsbok av bilde dokument endelig fil foto kladd kopi lysbilde navn ny nye nytt presentasjon
        skannet skanning skjermbilde skjermdump tekst tekstdokument tittel uten ukjent utkast vedlegg versjon kl
    """,
    "is": "skjal nýtt afrit mynd síða skjámynd titill án kynning bók blað",
    "fi": """
        asiakirja asiakirjat diaesitys dia esitys kansio kello kirja klo kopio kuva kuvakaappaus liite
        lopullinen luonnos nimetön näyttökuva otsikkoa ilman sivu skannattu skannaus taulukko teksti
        tekstiasiakirja tekstitiedosto tiedosto tuntematon työkirja uusi valokuva versio tallenne
    """,
    "el": """
        αντίγραφο από αρχείο βιβλίο βίντεο διαφάνεια εγγραφή εικόνα έγγραφο έκδοση κειμένου κείμενο νέο νέα
        οθόνης παρουσίαση πρόχειρο σάρωση σελίδα στιγμιότυπο τελικό τίτλο τίτλος του της φύλλο φωτογραφία χωρίς
        άτιτλο
    """,
    "tr": """
        adlı adsız alıntısı başlıksız başlık belge belgesi belgeler çalışma deneme dosya dosyası ekran fotoğraf
        görüntü görüntüsü isimsiz kayıt kaydı kitap kitabı kopya kopyası metin not notlar resim resmi sayfa
        sayfası slayt sunu sunusu sunum şablon tarama taranan taranmış taslak sürüm ve video yeni saat
    """,
    "az": "adsız fayl kopya mətn nüsxə sənəd səhifə şəkil təqdimat təzə vərəq yeni",
    "kk": """
        атаусыз жаңа көшірме көшірмесі құжат бет кітап парақ презентация сурет файл мәтіндік мәтін нұсқа скан
    """,
    "uz": "fayl hujjat nomsiz nusxa nusxasi rasm sahifa taqdimot varaq yangi ҳужжат янги нусха",
    "hy": "անանուն նոր փաստաթուղթ պատճեն ֆայլ նկար էջ գիրք ներկայացում",
    "ka": "ახალი დოკუმენტი ასლი უსათაურო ფაილი სურათი გვერდი წიგნი პრეზენტაცია",
    "ar": """
        إلى الشاشة الصورة العرض بدون بلا تقديمي جديد جديدة صفحة صورة ضوئي عرض عنوان غير في كتاب لقطة مجلد مستند
        مستندات مسح مسودة مصنف ملف من نسخة نسخ نص نصي نهائي نهائية ورقة شاشة معنون مسمى شريحة
    """,
    "fa": """
        اسکن از ارائه بدون بی تصویر جدید سند سندی صفحه عنوان عکس فایل نام نسخه نمایش کپی کتاب کار متن متنی نهایی
        پیش نویس اسلاید برگه
    """,
    "ur": "نئی نیا دستاویز نقل بلا عنوان تصویر فائل صفحہ",
    "he": """
        אין גיליון גירסה גרסה גיבוי הקלטה חדש חדשה חוברת טיוטה טקסט כותרת ללא לוח מסך מסמך מצגת סופי סופית סרוק
        סריקה עבודה עותק עמוד צילום קובץ שם של שקופית תמונה
    """,
    "hi": """
        नया नई दस्तावेज़ दस्तावेज प्रतिलिपि प्रति फ़ाइल फाइल चित्र शीर्षकहीन शीर्षक बिना टेक्स्ट पृष्ठ प्रस्तुति स्क्रीनशॉट स्कैन स्लाइड
        पुस्तिका की का
    """,
    "bn": "নতুন নথি ফাইল ছবি শিরোনামহীন অনুলিপি কপি পৃষ্ঠা উপস্থাপনা স্ক্রিনশট",
    "th": """
        เอกสาร เอกสารใหม่ ใหม่ สำเนา ของ ไฟล์ ภาพ รูป รูปภาพ ภาพถ่าย ภาพหน้าจอ หน้าจอ ไม่มีชื่อ ไม่มีชื่อเรื่อง สแกน ฉบับร่าง ร่าง
        งานนำเสนอ การนำเสนอ สมุดงาน แผ่นงาน หน้า ข้อความ เอกสารข้อความ สไลด์ ฉบับ ฉบับสมบูรณ์ โฟลเดอร์ การบันทึก
    """,
    "vi": """
        ảnh bản bảng tiêu đề báo cáo chụp chưa có của cuối cùng hình không lưu màn mới nháp quét tài liệu tập tên tệp
        trang trình bày văn chiếu phiên số
    """,
    "id": """
        baru berkas buku cadangan cuplikan dari dokumen draf final foto gambar judul kerja kertas layar lembar
        nama pindai pindaian presentasi rekaman salinan sampul tangkapan tanpa teks terbaru
    """,
    "ms": """
        baharu dokumen fail gambar helaian imbasan kerja pembentangan salinan tajuk tanpa tangkapan skrin buku
    """,
    "zh": """
        文档 文檔 文件 文件夹 副本 复本 複本 拷贝 复制 複製 备份 備份 新建 新 新的 新增 新文件 未命名 未標題
        无标题 無標題 没有标题 图片 圖片 图像 圖像 照片 相片 扫描 掃描 扫描件 掃描檔 扫描全能王 截图 截屏 截圖
        屏幕 屏幕截图 屏幕快照 螢幕 螢幕截圖 螢幕快照 演示文稿 演示 演示文档 簡報 幻灯片 投影片 工作簿 工作表
        活頁簿 电子表格 試算表 草稿 模板 范本 範本 样本 最终版 最终 终稿 定稿 初稿 修改 修改版 修订版 微信
        微信图片 微信截图 文本 文字 文字文件 纯文本 文本文档 文字檔 打印 列印 导出 匯出 下载 下載 录音 錄音 录屏
        视频 影片 附件 页 頁 的 版本 标题 標題 测试 測試 筆記 簿
    """,
    "ja": """
        新規 新しい 文書 書類 ドキュメント ファイル コピー の のコピー 複製 複写 無題 名称未設定
        タイトルなし タイトル 画像 写真 スキャン スキャナー スキャンデータ スクリーン スクリーンショット
        スライド プレゼンテーション プレゼン ブック シート ワークシート テキスト 下書き 最終版 最終 確定版 確定
        改訂版 修正版 修正 ドラフト 草案 印刷 出力 添付 録音 録画 動画 ページ テンプレート ひな形 雛形 フォルダ
        サンプル テスト 画面
    """,
    "ko": """
        문서 새 새로운 새문서 없는 파일 사본 복사본 복사 제목 없음 제목없음 무제 이름 이미지 사진 그림 스캔 스캔본
        스크린샷 화면 캡처 캡쳐 시트 통합 통합문서 텍스트 프레젠테이션 슬라이드 초안 최종 최종본 최종판 수정
        수정본 수정판 완성본 백업 첨부 첨부파일 녹음 녹화 동영상 페이지 양식 서식 샘플 테스트
    """,
}

_PROGRAMS = frozenset({
    "acrobat", "adobe", "app", "excel", "microsoft", "ms", "msword", "powerpoint", "powerpointova", "wa",
    "whatsapp", "whats", "word", "wps",
})  # fmt: skip
_GENERIC = frozenset(folded(word) for text in _GENERIC_BY_LANGUAGE.values() for word in text.split())
_LONGEST = max(map(len, _GENERIC))


def is_generic(words: Sequence[str]) -> bool:
    """Whether there are words, all of them, in folded form, such as programs and hurried people give.

    The name of a program may stand beside them; alone it may be the subject.
    """
    others = [word for word in words if word not in _PROGRAMS]
    return bool(others) and all(word in _GENERIC or (is_unspaced(word) and _is_joined(word)) for word in others)


def _is_joined(word: str) -> bool:
    """Whether a run of letters is made of generic words only."""
    ends = {0}
    for end in range(1, len(word) + 1):
        if any(start in ends and word[start:end] in _GENERIC for start in range(max(0, end - _LONGEST), end)):
            ends.add(end)
    return len(word) in ends
