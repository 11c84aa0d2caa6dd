"""Word documents with styles and numbered lists, and their text."""

from tests.parse.office_files import (
    docx,
    part,
    word_paragraph,
)

from minirag_mcp.parse.docx import parse

STYLES = part(
    "w:styles",
    """
    <w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
    <w:style w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/></w:style>
    <w:style w:styleId="Own"><w:name w:val="My clause"/><w:basedOn w:val="Outlined"/></w:style>
    <w:style w:styleId="Outlined"><w:name w:val="Outlined"/><w:basedOn w:val="Own"/>
      <w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
    <w:style w:styleId="T"><w:name w:val="Title"/></w:style>
    <w:style w:styleId="V1"><w:name w:val="toc 1"/></w:style>
    <w:style w:styleId="Code"><w:name w:val="Source Code"/></w:style>
    <w:style w:styleId="Typed"><w:name w:val="Typed"/><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr></w:style>
    <w:style w:styleId="Mono"><w:name w:val="Verbatim Char"/></w:style>
    <w:style w:styleId="Plain"><w:name w:val="Plain"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
    <w:style w:styleId="Listed"><w:name w:val="Listed"/>
      <w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
    """,
)


def level(number: int, text: str, form: str = "decimal", extra: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/>{extra}</w:lvl>'
    )


NUMBERING = part(
    "w:numbering",
    f"""
    <w:abstractNum w:abstractNumId="0">{level(0, "%1.")}{level(1, "%1.%2")}{level(2, "%1.%2.%3", extra="<w:isLgl/>")}
    </w:abstractNum>
    <w:abstractNum w:abstractNumId="1">{level(0, "•", "bullet")}{level(1, "o", "bullet")}</w:abstractNum>
    <w:abstractNum w:abstractNumId="2">{level(0, "%1)", "lowerLetter")}{level(1, "%2.", "upperRoman")}
      {level(2, "%3", "russianLower")}{level(3, "%4", "decimalZero")}{level(4, "x", "none")}</w:abstractNum>
    <w:abstractNum w:abstractNumId="3"><w:numStyleLink w:val="Listed"/></w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
    <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
    <w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>
    <w:num w:numId="4"><w:abstractNumId w:val="0"/>
      <w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>
    <w:num w:numId="5"><w:abstractNumId w:val="3"/></w:num>
    """,
)


def numbered(text: str, number: int, depth: int = 0, style: str = "") -> str:
    properties = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>'
    return word_paragraph(text, style=style, properties=properties)


def text_of(body: str, **parts: str) -> str:
    return parse(docx(body, **{"styles": STYLES, "numbering": NUMBERING, **parts})).text
