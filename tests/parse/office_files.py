"""Small Office packages written by hand, part by part."""

import io
import zipfile
from xml.sax.saxutils import escape, quoteattr

_SCHEMAS = "http://schemas.openxmlformats.org/"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "w": f"{_SCHEMAS}wordprocessingml/2006/main",
        "p": f"{_SCHEMAS}presentationml/2006/main",
        "s": f"{_SCHEMAS}spreadsheetml/2006/main",
        "a": f"{_SCHEMAS}drawingml/2006/main",
        "c": f"{_SCHEMAS}drawingml/2006/chart",
        "dgm": f"{_SCHEMAS}drawingml/2006/diagram",
        "wp": f"{_SCHEMAS}drawingml/2006/wordprocessingDrawing",
        "r": f"{_SCHEMAS}officeDocument/2006/relationships",
        "m": f"{_SCHEMAS}officeDocument/2006/math",
        "mc": f"{_SCHEMAS}markup-compatibility/2006",
        "cp": f"{_SCHEMAS}package/2006/metadata/core-properties",
        "dc": "http://purl.org/dc/elements/1.1/",
    }.items()
)


def zip_of(parts: dict[str, str | bytes]) -> bytes:
    """A zip archive of these parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in parts.items():
            target.writestr(name, content)
    return buffer.getvalue()


def part(root: str, body: str) -> str:
    """An XML part: `root` with all namespaces around `body`."""
    name = root.split(maxsplit=1)[0]
    return f'<?xml version="1.0" encoding="UTF-8"?><{root} {NAMESPACES}>{body}</{name}>'


def relationships(**targets: str) -> str:
    """A relationships part: id=`kind target`."""
    links = "".join(
        f'<Relationship Id="{key}" Type="{_SCHEMAS}officeDocument/2006/relationships/{value.split()[0]}" '
        f'Target="{value.split()[1]}"/>'
        for key, value in targets.items()
    )
    return f'<Relationships xmlns="{_SCHEMAS}package/2006/relationships">{links}</Relationships>'


def core_title(title: str) -> str:
    """Core properties with a title."""
    return part("cp:coreProperties", f"<dc:title>{escape(title)}</dc:title>")


def docx(body: str, **parts: str) -> bytes:
    """A Word document; `parts` are further parts of the folder `word`, by name without `.xml`, linked by name."""
    known = {name: f"{name} {name}.xml" for name in parts}
    return zip_of(
        {
            "_rels/.rels": relationships(d="officeDocument word/document.xml", c="core-properties docProps/core.xml"),
            "word/document.xml": part("w:document", f"<w:body>{body}</w:body>"),
            "word/_rels/document.xml.rels": relationships(**known),
            **{f"word/{name}.xml": content for name, content in parts.items()},
        }
    )


def with_parts(data: bytes, parts: dict[str, str | bytes]) -> bytes:
    """The package with these parts added or replaced."""
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        known = {name: source.read(name) for name in source.namelist()}
    return zip_of({**known, **parts})


def word_paragraph(text: str, *, style: str = "", properties: str = "", run: str = "") -> str:
    """A paragraph of one run."""
    named = f"<w:pStyle w:val={quoteattr(style)}/>" if style else ""
    return (
        f"<w:p><w:pPr>{named}{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr>"
        f'<w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'
    )


def word_cell(content: str, properties: str = "") -> str:
    """A table cell; plain text becomes a paragraph."""
    inner = content if content.startswith("<") else word_paragraph(content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


def word_table(*rows: list[str]) -> str:
    """A table of cells made by `word_cell` or of plain texts."""
    return (
        "<w:tbl>"
        + "".join(
            "<w:tr>" + "".join(cell if cell.startswith("<") else word_cell(cell) for cell in row) + "</w:tr>"
            for row in rows
        )
        + "</w:tbl>"
    )


def pptx(*slides: str, links: dict[int, dict[str, str]] | None = None, **parts: str) -> bytes:
    """A presentation; each slide is the inside of its shape tree; `links` are relationships by slide number."""
    count = len(slides)
    ids = "".join(f'<p:sldId id="{255 + n}" r:id="s{n}"/>' for n in range(1, count + 1))
    known = {f"s{n}": f"slide slides/slide{n}.xml" for n in range(1, count + 1)}
    content: dict[str, str | bytes] = {
        "_rels/.rels": relationships(d="officeDocument ppt/presentation.xml"),
        "ppt/presentation.xml": part("p:presentation", f"<p:sldIdLst>{ids}</p:sldIdLst>"),
        "ppt/_rels/presentation.xml.rels": relationships(**known, a="commentAuthors authors.xml"),
    }
    for number, slide in enumerate(slides, start=1):
        content[f"ppt/slides/slide{number}.xml"] = part("p:sld", f"<p:cSld><p:spTree>{slide}</p:spTree></p:cSld>")
        content[f"ppt/slides/_rels/slide{number}.xml.rels"] = relationships(**(links or {}).get(number, {}))
    content.update({f"ppt/{name}.xml": text for name, text in parts.items()})
    return zip_of(content)


def shape(*paragraphs: str, kind: str = "", plain: bool = False) -> str:
    """A shape with text; `kind` is its placeholder type, `plain` a text box without placeholder."""
    holder = "" if plain else f'<p:ph type="{kind}"/>' if kind else "<p:ph/>"
    text = "".join(item if item.startswith("<a:p>") else slide_paragraph(item) for item in paragraphs)
    return f"<p:sp><p:nvSpPr><p:nvPr>{holder}</p:nvPr></p:nvSpPr><p:txBody>{text}</p:txBody></p:sp>"


def slide_paragraph(text: str, properties: str = "") -> str:
    """A paragraph of DrawingML."""
    return f"<a:p>{properties}<a:r><a:t>{escape(text)}</a:t></a:r></a:p>"


def xlsx(
    sheets: dict[str, str], *, strings: list[str] | None = None, styles: str = "", workbook: str = "", **parts: str
) -> bytes:
    """A workbook: by sheet name the rows as XML (`s:row`); `strings` are shared; `styles` inside `s:styleSheet`."""
    names = list(sheets)
    listed = "".join(f'<s:sheet name={quoteattr(name)} r:id="s{n}"/>' for n, name in enumerate(names, start=1))
    known = {f"s{n}": f"worksheet worksheets/sheet{n}.xml" for n in range(1, len(names) + 1)}
    items = "".join(
        item if item.startswith("<") else f"<s:si><s:t>{escape(item)}</s:t></s:si>" for item in strings or []
    )
    content: dict[str, str | bytes] = {
        "_rels/.rels": relationships(d="officeDocument xl/workbook.xml"),
        "xl/workbook.xml": part("s:workbook", f"{workbook}<s:sheets>{listed}</s:sheets>"),
        "xl/_rels/workbook.xml.rels": relationships(**known, x="sharedStrings strings.xml", y="styles styles.xml"),
        "xl/strings.xml": part("s:sst", items),
        "xl/styles.xml": part("s:styleSheet", styles),
    }
    for number, rows in enumerate(sheets.values(), start=1):
        content[f"xl/worksheets/sheet{number}.xml"] = part("s:worksheet", f"<s:sheetData>{rows}</s:sheetData>")
    content.update({f"xl/{name}": text for name, text in parts.items()})
    return zip_of(content)


def row(number: int, *cells: str | float, first: str = "A") -> str:
    """A row from column `first` on: numbers as numbers, texts inline, XML as it is, "" for no cell."""
    made = []
    for index, cell in enumerate(cells):
        reference = f"{chr(ord(first) + index)}{number}"
        if isinstance(cell, str) and cell.startswith("<"):
            made.append(cell.replace("<s:c", f'<s:c r="{reference}"', 1))
        elif isinstance(cell, str) and cell:
            made.append(f'<s:c r="{reference}" t="inlineStr"><s:is><s:t>{escape(cell)}</s:t></s:is></s:c>')
        elif not isinstance(cell, str):
            made.append(f'<s:c r="{reference}"><s:v>{cell}</s:v></s:c>')
    return f'<s:row r="{number}">{"".join(made)}</s:row>'
