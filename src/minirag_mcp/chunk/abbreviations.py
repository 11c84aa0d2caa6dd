"""Words that a full stop shortens rather than a sentence ends with, in the languages most documents are in.

One letter, one syllable of Devanagari and the like, and letters with points between them (`т.е`) need no entry.
"""


def _words(lines: str) -> frozenset[str]:
    return frozenset(lines.split())


NEVER_LAST = _words("""
    mr mrs ms mx dr prof st rev gen sgt lt capt cmdr hon mt vs cf viz al approx dept univ messrs incl excl resp
    mme mmes mlle mlles mgr env éd av
    ej sr sra srta dra ud uds lic gral exmo exma profa
    sig sigg sig.ra dott dott.ssa avv geom
    hr hrn fr frl bzw bspw ca evtl ggf vgl gem sog geb inkl exkl zzgl ing dipl mio mrd
    bijv mevr dhr zgn bl.a t.ex f.eks jf jfr evt hhv tlf esim ks vrt ld vö ún özv ifj bkz doç yrd dl dna lit.b
    tj tzn tzw mgr inż ul al np m.in ww godz např tzv resp obr čl tř
    гг тов гр им ул пр просп пер пл обл см ср напр рис табл руб коп тыс млн млрд экз ред изд акад доц инж
    тел корп стр стор лит пом оф кв макс мин англ лат нем греч т.зв
    вул буд див ім тис грн наприклад бр чл т.нар проф
    βλ σελ τηλ αρ δηλ
    श्री श्रीमती प्रो ডা মো திரு""")
"""Titles, units before a figure and the like: what they belong to stands behind them."""

BEFORE_NUMBER = _words("""
    no nos nr nrs fig figs pp pg sec sect ch chap vol vols ed eq eqs art arts tab tabl para abb abs kap bd ziff rn
    cap núm nº pág págs pag pagg art.º lám obs str rys ust pkt poz rozdz odst bod ods blz lid afb hfdst stk
    afsn kl nro tbl ref app appx annex ver rel est circa jan feb mar apr jun jul aug sep sept oct nov dec
    пп ст гл разд прил пункт подп ал
    क्र""")
"""Words that end nothing only where a figure follows."""
