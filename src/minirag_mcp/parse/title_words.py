"""Headings that do not tell one document from another, by language.

Seen as the first heading of many documents of one set: office templates, papers, manuals, regulations.
Compared in `folded` form.
"""

from minirag_mcp.parse.title_text import folded

_BOILERPLATE_BY_LANGUAGE: dict[str, str] = {
    "en": """
        abbreviations; abstract; about; about this book; about this document; about this guide;
        about this manual; acknowledgement; acknowledgements; acknowledgment; acknowledgments; acronyms; agenda;
        annex; annexes; appendices; appendix; approval; approval sheet; approvals; attachment; background;
        basic provisions; body; bibliography; change history; change log; change record; changelog; changes;
        conclusion; conclusions; content; contents; copyright; copyright notice; cover; cover page; cover sheet;
        dedication; definitions; description; disclaimer; distribution list; document control; document history;
        document information; document revision history; executive summary; foreword; front matter; general;
        general information; general provisions; general terms; getting started; glossary; home;
        how to use this manual; index; intro; introduction; legal notice; legal notices; license;
        list of abbreviations; list of figures; list of tables; main; main page; notes; notice; notices;
        objective; objectives; overview; preamble; preface; preliminary provisions; purpose; purpose and scope;
        readme; read me; record of changes; references; release notes; revision history; revision record;
        revisions; scope; scope and purpose; scope of application; subject; summary; summary of changes;
        table of contents; terms; terms and abbreviations; terms and definitions; title; title page; toc;
        untitled; version control; version history; what's new
    """,
    "ru": """
        аннотация; благодарности; введение; вводная часть; вводные положения; вступление; глоссарий; заключение;
        история версий; история документа; история изменений; история редакций; контроль версий; лист изменений;
        лист контроля изменений; лист ознакомления; лист регистрации изменений; лист согласования;
        лист утверждения; лист учета изменений; литература; назначение; назначение документа;
        назначение и область применения; нормативные ссылки; о документе; об этом документе;
        обозначения и сокращения; общая информация; общая часть; общие данные; общие положения; общие правила;
        общие сведения; общие требования; область применения; оглавление; описание; определения;
        определения и сокращения; основные положения; основные понятия; основные термины; от автора; от авторов;
        от редакции; перечень сокращений; повестка дня; предисловие; преамбула; приложение; приложения;
        принятые сокращения; реферат; содержание; сокращения; список литературы; список сокращений;
        сфера применения; термины; термины и определения; термины и сокращения;
        термины, определения и сокращения; термины, сокращения и определения; титульный лист; цели; цель;
        цель и область применения; цели и задачи; что нового; журнал изменений; предмет регулирования; ссылки
    """,
    "uk": """
        анотація; визначення; вступ; загальна інформація; загальна частина; загальні відомості;
        загальні положення; зміст; історія версій; історія змін; лист змін; аркуш змін; лист погодження; мета;
        перелік скорочень; передмова; призначення; скорочення; сфера застосування; терміни;
        терміни та визначення; висновки; висновок; додаток; додатки; нормативні посилання; титульний аркуш;
        опис; галузь використання; порядок денний; подяки
    """,
    "be": "агульныя палажэнні; агульныя звесткі; змест; уводзіны; прадмова; дадатак; анатацыя; заключэнне",
    "bg": """
        въведение; общи положения; общи разпоредби; общи условия; предговор; съдържание; увод; приложение;
        заключение; резюме; история на промените; определения; обхват; цел; речник
    """,
    "mk": "вовед; општи одредби; предговор; содржина; прилог; заклучок; цел; речник; резиме",
    "sr": """
        увод; опште одредбе; основне одредбе; садржај; предговор; прилог; закључак; речник; сажетак;
        историја измена; opšte odredbe; sadržaj; uvod; predgovor; prilog; zaključak; rečnik; sažetak
    """,
    "hr": """
        opće odredbe; sadržaj; uvod; predgovor; prilog; zaključak; sažetak; rječnik; povijest izmjena; svrha;
        opseg
    """,
    "sl": """
        splošne določbe; kazalo; vsebina; uvod; predgovor; priloga; zaključek; povzetek; slovar; namen; zahvala
    """,
    "de": """
        abbildungsverzeichnis; abkürzungen; abkürzungsverzeichnis; agenda; allgemeine bestimmungen;
        allgemeine hinweise; allgemeine informationen; allgemeine vorschriften; allgemeiner teil; allgemeines;
        änderungshistorie; änderungsverlauf; änderungsverzeichnis; anhang; anhänge; anlage; anlagen;
        anwendungsbereich; ausgangslage; begriffe; begriffsbestimmungen; danksagung; deckblatt; definitionen;
        dokumenthistorie; einführung; einleitung; fazit; geltungsbereich; gliederung; glossar; impressum;
        inhalt; inhaltsübersicht; inhaltsverzeichnis; kurzfassung; literatur; literaturverzeichnis; präambel;
        quellen; revisionsverlauf; tabellenverzeichnis; tagesordnung; titelblatt; titelseite; überblick;
        übersicht; versionsgeschichte; versionshistorie; versionsverlauf; vorbemerkung; vorbemerkungen; vorwort;
        ziel; ziele; zielsetzung; zusammenfassung; zweck; zweck und geltungsbereich; zu diesem dokument;
        über dieses dokument; änderungen; hinweise; schluss
    """,
    "fr": """
        à propos; à propos de ce document; abréviations; annexe; annexes; avant-propos; avertissement;
        bibliographie; champ d'application; conclusion; contenu; contexte; définitions; dispositions générales;
        domaine d'application; généralités; glossaire; historique; historique des modifications;
        historique des révisions; historique des versions; informations générales; introduction; lexique;
        liste des abréviations; mentions légales; objectif; objectifs; objet; objet et champ d'application;
        ordre du jour; page de garde; page de titre; préambule; préface; présentation; références;
        remerciements; résumé; sommaire; suivi des modifications; synthèse; table des matières;
        termes et définitions; vue d'ensemble
    """,
    "es": """
        abreviaturas; agradecimientos; alcance; ámbito de aplicación; anexo; anexos; antecedentes; apéndice;
        bibliografía; conclusión; conclusiones; contenido; contenidos; control de cambios; control de versiones;
        definiciones; disposiciones generales; generalidades; glosario; historial de cambios;
        historial de revisiones; historial de versiones; índice; índice de contenidos; índice general;
        información general; introducción; objetivo; objetivos; objeto; objeto y ámbito de aplicación;
        orden del día; portada; preámbulo; prefacio; presentación; prólogo; propósito; referencias; resumen;
        resumen ejecutivo; sumario; tabla de contenido; tabla de contenidos; términos y definiciones;
        visión general
    """,
    "ca": """
        agraïments; annex; àmbit d'aplicació; disposicions generals; índex; introducció; pròleg; resum; sumari
    """,
    "gl": "agradecementos; anexo; disposicións xerais; índice; introdución; limiar; resumo; contido",
    "pt": """
        abreviaturas; agradecimentos; âmbito; âmbito de aplicação; anexo; anexos; apêndice; apresentação;
        bibliografia; capa; conclusão; conclusões; conteúdo; controle de alterações; controle de versões;
        definições; disposições gerais; folha de rosto; glossário; histórico de alterações;
        histórico de revisões; histórico de versões; índice; informações gerais; introdução; objetivo;
        objetivos; ordem do dia; prefácio; preâmbulo; referências; resumo; resumo executivo; sumário;
        termos e definições; visão geral
    """,
    "it": """
        abbreviazioni; allegati; allegato; ambito di applicazione; appendice; bibliografia;
        campo di applicazione; conclusione; conclusioni; contenuti; copertina; cronologia delle modifiche;
        cronologia delle revisioni; definizioni; disposizioni generali; frontespizio; generalità; glossario;
        indice; indice generale; informazioni generali; introduzione; obiettivi; obiettivo; oggetto;
        ordine del giorno; panoramica; prefazione; premessa; preambolo; ringraziamenti; riassunto; riferimenti;
        scopo; sintesi; sommario; storico delle revisioni; termini e definizioni
    """,
    "ro": """
        anexă; anexe; cuprins; concluzii; definiții; dispoziții generale; glosar; informații generale;
        introducere; istoricul modificărilor; mulțumiri; obiectiv; prefață; rezumat; scop;
        scopul și domeniul de aplicare
    """,
    "nl": """
        algemeen; algemene bepalingen; algemene informatie; begrippen; bijlage; bijlagen; colofon; conclusie;
        definities; doel; inhoud; inhoudsopgave; inleiding; introductie; overzicht; revisiegeschiedenis;
        samenvatting; titelpagina; toepassingsgebied; versiebeheer; versiegeschiedenis; voorwoord;
        wijzigingshistorie
    """,
    "af": "inhoud; inhoudsopgawe; inleiding; voorwoord; opsomming; algemene bepalings; bylae",
    "pl": """
        bibliografia; cel; cel i zakres; cel i zakres stosowania; definicje; dokumenty powiązane;
        historia wersji; historia zmian; informacje ogólne; podsumowanie; podziękowania; postanowienia ogólne;
        postanowienia wstępne; przedmowa; przepisy ogólne; słownik; spis treści; streszczenie; strona tytułowa;
        wniosek; wnioski; wprowadzenie; wstęp; wykaz skrótów; załącznik; załączniki; zakres; zakres stosowania;
        porządek obrad
    """,
    "cs": """
        definice; historie verzí; historie změn; obecná ustanovení; obecné informace; obsah; oblast působnosti;
        poděkování; předmluva; příloha; přílohy; rozsah; seznam zkratek; shrnutí; slovník pojmů; souhrn; účel;
        úvod; úvodní ustanovení; všeobecná ustanovení; základní ustanovení; závěr; titulní strana
    """,
    "sk": """
        definície; história verzií; história zmien; obsah; poďakovanie; predhovor; predslov; príloha; prílohy;
        rozsah; slovník pojmov; súhrn; účel; úvod; úvodné ustanovenia; všeobecné ustanovenia;
        základné ustanovenia; záver; zhrnutie; zoznam skratiek
    """,
    "hu": """
        általános rendelkezések; általános információk; bevezetés; bevezető; célkitűzés; előszó; fogalmak;
        köszönetnyilvánítás; melléklet; mellékletek; összefoglalás; összefoglaló; tartalom; tartalomjegyzék;
        változások; verziótörténet; alapfogalmak; fogalommeghatározások; hatály; irodalomjegyzék
    """,
    "lt": """
        bendrosios nuostatos; bendroji dalis; įvadas; įžanga; pratarmė; santrauka; turinys; priedas; išvados;
        tikslas
    """,
    "lv": """
        ievads; kopsavilkums; priekšvārds; saturs; vispārīgie noteikumi; vispārīgie jautājumi; pielikums;
        secinājumi
    """,
    "et": "eessõna; kokkuvõte; lisa; sisukord; sissejuhatus; üldsätted; üldosa; mõisted; eesmärk; sisu",
    "sv": """
        allmänna bestämmelser; allmänt; bakgrund; bilaga; bilagor; definitioner; förord; innehåll;
        innehållsförteckning; inledning; introduktion; ordlista; revisionshistorik; sammanfattning; syfte; tack;
        versionshistorik; ändringshistorik; översikt
    """,
    "da": """
        almindelige bestemmelser; baggrund; bilag; definitioner; formål; forord; generelt; indhold;
        indholdsfortegnelse; indledning; konklusion; oversigt; resumé; sammenfatning; versionshistorik;
        ændringslog
    """,
    "nb": """
        alminnelige bestemmelser; bakgrunn; definisjoner; formål; forord; generelle bestemmelser; generelt;
        innhold; innholdsfortegnelse; innledning; introduksjon; konklusjon; oversikt; sammendrag; vedlegg;
        versjonshistorikk
    """,
    "is": "efnisyfirlit; formáli; inngangur; samantekt; almenn ákvæði; viðauki; lokaorð",
    "fi": """
        esipuhe; johdanto; johdatus; liite; liitteet; lyhenteet; määritelmät; muutoshistoria; sisällys;
        sisällysluettelo; soveltamisala; tarkoitus; tausta; tiivistelmä; versiohistoria; yhteenveto; yleistä;
        yleiset määräykset
    """,
    "sq": """
        hyrje; parathënie; përmbajtja; tabela e përmbajtjes; dispozita të përgjithshme; përmbledhje; shtojcë
    """,
    "eu": "aurkibidea; sarrera; hitzaurrea; laburpena; xedapen orokorrak; eranskina",
    "el": """
        εισαγωγή; περιεχόμενα; πίνακας περιεχομένων; πρόλογος; περίληψη; γενικές διατάξεις; γενικά; παράρτημα;
        σκοπός; πεδίο εφαρμογής; ορισμοί; συμπεράσματα; ιστορικό αναθεωρήσεων; ευχαριστίες; βιβλιογραφία
    """,
    "tr": """
        amaç; amaç ve kapsam; dayanak; ek; ekler; genel; genel bilgiler; genel hükümler; giriş; içerik;
        içindekiler; kapsam; kaynakça; kısaltmalar; önsöz; özet; revizyon geçmişi; sonuç; sürüm geçmişi; sunuş;
        tanımlar; tanımlar ve kısaltmalar; teşekkür; değişiklik geçmişi; amaç, kapsam ve dayanak;
        başlangıç hükümleri
    """,
    "az": "giriş; mündəricat; ön söz; ümumi müddəalar; xülasə; əlavə; nəticə; əsas anlayışlar; məqsəd",
    "kk": "кіріспе; мазмұны; жалпы ережелер; алғы сөз; қорытынды; қосымша; анықтамалар; түйіндеме",
    "ky": "киришүү; мазмуну; жалпы жоболор; корутунду; тиркеме; баш сөз",
    "uz": """
        kirish; mundarija; umumiy qoidalar; soʻzboshi; so'zboshi; xulosa; ilova; кириш; мундарижа;
        умумий қоидалар
    """,
    "tt": "кереш; эчтәлек; гомуми нигезләмәләр; йомгак; кушымта",
    "tg": "муқаддима; мундариҷа; муқаррароти умумӣ; хулоса; замима",
    "mn": "оршил; гарчиг; агуулга; нийтлэг үндэслэл; дүгнэлт; хавсралт; удиртгал",
    "hy": "ներածություն; բովանդակություն; նախաբան; ընդհանուր դրույթներ; ամփոփում; հավելված; եզրակացություն",
    "ka": "შესავალი; სარჩევი; წინასიტყვაობა; ზოგადი დებულებები; დანართი; დასკვნა; შინაარსი; რეზიუმე",
    "ar": """
        أحكام عامة; الأحكام العامة; المحتويات; المحتوى; الفهرس; فهرس; جدول المحتويات; قائمة المحتويات;
        فهرس المحتويات; مقدمة; المقدمة; ملخص; الملخص; ملخص تنفيذي; الملخص التنفيذي; تمهيد; خاتمة; الخاتمة;
        تعريفات; التعريفات; ملحق; الملاحق; شكر وتقدير; نظرة عامة; الهدف; الأهداف; نطاق التطبيق; سجل التغييرات;
        المصطلحات; إهداء; المراجع
    """,
    "fa": """
        مقدمه; فهرست; فهرست مطالب; چکیده; پیشگفتار; پیش‌گفتار; کلیات; نتیجه‌گیری; نتیجه گیری; پیوست; تعاریف; هدف;
        دامنه کاربرد; خلاصه; خلاصه مدیریتی; تقدیر و تشکر; منابع; فصل اول; مقررات عمومی
    """,
    "ur": "تعارف; فہرست; فہرست مضامین; دیباچہ; پیش لفظ; خلاصہ; مقدمہ; ضمیمہ; عمومی دفعات",
    "ps": "سریزه; لړلیک; فهرست; لنډیز; عمومي حکمونه",
    "he": """
        מבוא; הקדמה; תוכן; תוכן עניינים; תוכן העניינים; תקציר; תקציר מנהלים; כללי; הגדרות; מטרה; נספח; נספחים;
        סיכום; פתח דבר; רקע; תודות; היסטוריית גרסאות; הוראות כלליות; מונחים
    """,
    "hi": """
        परिचय; प्रस्तावना; विषय सूची; विषय-सूची; अनुक्रमणिका; सारांश; भूमिका; सामान्य प्रावधान; परिशिष्ट; निष्कर्ष; उद्देश्य;
        परिभाषाएँ; प्राक्कथन; आमुख; आभार
    """,
    "mr": "प्रस्तावना; परिचय; अनुक्रमणिका; सारांश; मनोगत; परिशिष्ट; निष्कर्ष",
    "ne": "परिचय; विषयसूची; विषय सूची; भूमिका; प्रस्तावना; सारांश; अनुसूची; निष्कर्ष",
    "bn": "ভূমিকা; সূচিপত্র; সূচীপত্র; পরিচিতি; সারসংক্ষেপ; উপসংহার; পরিশিষ্ট; মুখবন্ধ; সাধারণ বিধান",
    "gu": "પ્રસ્તાવના; અનુક્રમણિકા; પરિચય; સારાંશ; પરિશિષ્ટ; નિષ્કર્ષ",
    "pa": "ਜਾਣ-ਪਛਾਣ; ਤਤਕਰਾ; ਭੂਮਿਕਾ; ਸਾਰ; ਅੰਤਿਕਾ",
    "ta": "முன்னுரை; பொருளடக்கம்; அறிமுகம்; சுருக்கம்; முடிவுரை; பின்னிணைப்பு; அணிந்துரை",
    "te": "పరిచయం; విషయసూచిక; విషయ సూచిక; ముందుమాట; సారాంశం; అనుబంధం; ముగింపు; ఉపోద్ఘాతం",
    "kn": "ಪರಿಚಯ; ಪರಿವಿಡಿ; ಮುನ್ನುಡಿ; ಸಾರಾಂಶ; ಅನುಬಂಧ; ಪೀಠಿಕೆ",
    "ml": "ആമുഖം; ഉള്ളടക്കം; അവതാരിക; സംഗ്രഹം; അനുബന്ധം; മുഖവുര",
    "si": "හැඳින්වීම; පටුන; පෙරවදන; සාරාංශය; උපග්‍රන්ථය",
    "th": """
        บทนำ; สารบัญ; คำนำ; บทคัดย่อ; บททั่วไป; บทสรุป; ภาคผนวก; วัตถุประสงค์; ขอบเขต; กิตติกรรมประกาศ; นิยาม; บทสรุปผู้บริหาร
    """,
    "lo": "ບົດນຳ; ສາລະບານ; ຄຳນຳ; ບົດສະຫຼຸບ; ຫຼັກການທົ່ວໄປ",
    "km": "សេចក្តីផ្តើម; មាតិកា; បុព្វកថា; សេចក្តីសង្ខេប; ឧបសម្ព័ន្ធ; បទប្បញ្ញត្តិទូទៅ",
    "my": "နိဒါန်း; မာတိကာ; အမှာစာ; အကျဉ်းချုပ်; နောက်ဆက်တွဲ",
    "vi": """
        giới thiệu; giới thiệu chung; lời nói đầu; lời mở đầu; lời giới thiệu; lời cảm ơn; mục lục; mục đích;
        phạm vi áp dụng; phạm vi điều chỉnh; phụ lục; quy định chung; những quy định chung; tóm tắt; tổng quan;
        mở đầu; kết luận; định nghĩa; giải thích từ ngữ; danh mục từ viết tắt; lịch sử thay đổi
    """,
    "id": """
        abstrak; daftar isi; daftar singkatan; ikhtisar; kata pengantar; kesimpulan; ketentuan umum; lampiran;
        latar belakang; pendahuluan; pengantar; prakata; ringkasan; ringkasan eksekutif; riwayat perubahan;
        ruang lingkup; tujuan; ucapan terima kasih
    """,
    "ms": """
        isi kandungan; kandungan; pengenalan; prakata; pendahuluan; ringkasan; peruntukan am; lampiran;
        kesimpulan
    """,
    "tl": "panimula; talaan ng nilalaman; nilalaman; paunang salita; buod; konklusyon; kalakip",
    "sw": "utangulizi; yaliyomo; dibaji; muhtasari; hitimisho; kiambatisho; masharti ya jumla",
    "am": "መግቢያ; ማውጫ; መቅድም; ማጠቃለያ; ጠቅላላ ድንጋጌዎች; አባሪ",
    "zh": """
        目录; 目錄; 目次; 引言; 引子; 前言; 序言; 序; 自序; 简介; 簡介; 概述; 概要; 概况; 概論; 概论; 绪论;
        緒論; 摘要; 总则; 總則; 总论; 導論; 导论; 导言; 導言; 导读; 介绍; 介紹; 正文; 修订记录; 修訂記錄;
        修订历史; 修訂歷史; 修改记录; 变更记录; 變更記錄; 变更历史; 更新日志; 更新记录; 版本历史; 版本記錄;
        版本记录; 文档信息; 文档历史; 适用范围; 適用範圍; 范围; 範圍; 目的; 目的和范围; 术语; 术语和定义;
        術語和定義; 定义; 定義; 规范性引用文件; 封面; 附录; 附錄; 附件; 结论; 結論; 总结; 總結; 致谢; 致謝;
        参考文献; 參考文獻; 背景; 一般规定; 一般規定; 编制说明; 编制依据; 说明; 說明; 声明; 聲明; 免责声明;
        议程; 議程; 后记; 後記; 第一章
    """,
    "ja": """
        はじめに; まえがき; 前書き; 前文; 目次; もくじ; 序文; 序章; 序論; 緒言; 緒論; 概要; 概説; 総則; 総論;
        要旨; 要約; サマリー; エグゼクティブサマリー; 導入; イントロダクション; 改訂履歴; 改版履歴; 変更履歴;
        更新履歴; 版数管理; 表紙; 適用範囲; 目的; 目的と適用範囲; 用語; 用語の定義; 定義; 付録; 附録; 附則;
        別紙; 別添; 添付資料; おわりに; あとがき; 結論; 結び; まとめ; 謝辞; 参考文献; 背景; この文書について;
        本書について; 本書の使い方; 凡例; 一般事項; 共通事項; 議題; アジェンダ; お知らせ; 第一章; 第1章;
        アブストラクト; 抄録
    """,
    "ko": """
        개요; 들어가며; 들어가기; 들어가는 말; 머리말; 머릿말; 목차; 차례; 서론; 서문; 서언; 소개; 요약; 요약문;
        초록; 총칙; 총론; 개정 이력; 개정이력; 변경 이력; 변경이력; 버전 이력; 문서 이력; 문서 정보; 부록; 별첨;
        붙임; 목적; 적용 범위; 적용범위; 범위; 정의; 용어 정의; 용어의 정의; 결론; 맺음말; 맺는말; 나가며;
        감사의 글; 참고문헌; 배경; 일반 사항; 일반사항; 일러두기; 표지; 안건; 추진 배경
    """,
}

BOILERPLATE = frozenset(
    folded(" ".join(phrase.split())) for text in _BOILERPLATE_BY_LANGUAGE.values() for phrase in text.split(";")
)
"""Headings of parts that many documents have in common."""

PARTS = (
    "chapter section part article clause unit lesson lecture module глава раздел часть пункт статья параграф "
    "урок лекция модуль розділ частина стаття раздзел kapitel abschnitt teil artikel paragraph hoofdstuk deel "
    "chapitre partie titre capítulo sección parte título artículo seção artigo capitolo sezione titolo articolo "
    "capitolul articolul capítol rozdział część artykuł kapitola část článok článek hlava fejezet rész luku osa "
    "skyrius nodaļa peatükk kapittel avsnitt del poglavje poglavlje član bölüm kısım madde fəsil тарау бап боб "
    "bob κεφάλαιο μέρος άρθρο გლავა თავი მუხლი գլուխ فصل الفصل باب الباب مادة المادة بخش ماده פרק סעיף חלק "
    "अध्याय पाठ भाग অধ্যায় บทที่ หมวด ตอนที่ chương phần điều mục bab pasal bagian bahagian sura"
)
"""What stands before the number of a numbered heading, separated by blanks."""
