import { truncate } from '@/lib/cut-text'
import type { CsvTable } from '@/lib/export/csv'

/** SVG with its size in px. */
type Drawing = { width: number; height: number; xml: string }

/** Sizes are in px. */
const MARGIN = 24
const TITLE_HEIGHT = 58
const NAME_WIDTH = 190
const COLUMN_WIDTH = 112
const ROW_HEIGHT = 24
const NAME_LETTERS = 28
const CELL_LETTERS = 17

const serializeXml = (node: Node) => new XMLSerializer().serializeToString(node)
const escapeXml = (text: string) => serializeXml(new Text(text))

export function readDrawing(svg: SVGSVGElement): Drawing {
  const { width, height } = svg.viewBox.baseVal
  return { width, height, xml: serializeXml(svg) }
}

export function drawTable({ columns, rows }: CsvTable, formatNumber: (cell: number) => string): Drawing {
  const texts = [columns, ...rows].flatMap((cells, row) =>
    cells.map((cell, column) => {
      const cellText = typeof cell === 'number' ? formatNumber(cell) : (cell ?? '')
      const text = truncate(cellText, column === 0 ? NAME_LETTERS : CELL_LETTERS)
      const position = column === 0 ? 'x="0"' : `x="${NAME_WIDTH + column * COLUMN_WIDTH - 6}" text-anchor="end"`
      const textClass = row === 0 ? 'fill-mute font-medium' : 'fill-ink'
      return `<text ${position} y="${row * ROW_HEIGHT + 16}" class="${textClass}">${escapeXml(text)}</text>`
    }),
  )
  return {
    width: NAME_WIDTH + (columns.length - 1) * COLUMN_WIDTH,
    height: (rows.length + 1) * ROW_HEIGHT,
    xml: `<g class="tabular text-[12px]">${texts.join('')}</g>`,
  }
}

/** Paints the drawing below a title, on white, twice as large. It gets the page's styles, which images lack. */
export async function paintPng(drawing: Drawing, title: string, subtitle: string): Promise<Blob> {
  const width = drawing.width + 2 * MARGIN
  const height = TITLE_HEIGHT + drawing.height + MARGIN
  const styleRules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText))
  // Overflow stays visible, because the image cannot load the web font, and its substitute may be wider.
  const font = `svg { overflow: visible; font-family: ${getComputedStyle(document.body).fontFamily} }`
  const source = `<svg xmlns="http://www.w3.org/2000/svg" data-theme="light" width="${width}" height="${height}">
    <style>${escapeXml([...styleRules, font].join('\n'))}</style>
    <rect width="100%" height="100%" fill="#fff" />
    <text x="${MARGIN}" y="26" font-size="15" font-weight="600" class="fill-ink">${escapeXml(title)}</text>
    <text x="${MARGIN}" y="45" font-size="11.5" class="fill-mute">${escapeXml(subtitle)}</text>
    <g transform="translate(${MARGIN} ${TITLE_HEIGHT})">${drawing.xml}</g>
  </svg>`
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`
  await image.decode()
  const canvas = new OffscreenCanvas(2 * width, 2 * height)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob()
}
