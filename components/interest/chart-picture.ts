import { truncate } from '@/lib/cut-text'
import type { CsvTable } from '@/lib/export/csv'

/** A drawing is SVG of a size in px. */
type Drawing = { width: number; height: number; xml: string }

const serializeXml = (node: Node) => new XMLSerializer().serializeToString(node)

export function readDrawing(svg: SVGSVGElement): Drawing {
  const { width, height } = svg.viewBox.baseVal
  return { width, height, xml: serializeXml(svg) }
}

const [NAME_WIDTH, COLUMN_WIDTH, ROW_HEIGHT] = [190, 112, 24]
const [NAME_LETTERS, CELL_LETTERS] = [28, 17]

export function drawTable({ columns, rows }: CsvTable, formatNumber: (cell: number) => string): Drawing {
  const texts = [columns, ...rows].flatMap((cells, row) =>
    cells.map((cell, column) => {
      const cellText = typeof cell === 'number' ? formatNumber(cell) : (cell ?? '')
      const text = truncate(cellText, column === 0 ? NAME_LETTERS : CELL_LETTERS)
      const position = column === 0 ? 'x="0"' : `x="${NAME_WIDTH + column * COLUMN_WIDTH - 6}" text-anchor="end"`
      const look = row === 0 ? 'fill-mute font-medium' : 'fill-ink'
      return `<text ${position} y="${row * ROW_HEIGHT + 16}" class="${look}">${serializeXml(new Text(text))}</text>`
    }),
  )
  return {
    width: NAME_WIDTH + (columns.length - 1) * COLUMN_WIDTH,
    height: (rows.length + 1) * ROW_HEIGHT,
    xml: `<g class="tabular text-[12px]">${texts.join('')}</g>`,
  }
}

/** Paints the drawing below a title, on white, twice as large. SVG images lack the page's styles and get a copy. */
export async function paintPng(drawing: Drawing, title: string, subtitle: string): Promise<Blob> {
  const [width, height] = [drawing.width + 48, drawing.height + 82]
  const styleRules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText))
  // The image cannot load the web font. Its substitute may be wider than the drawing, so overflow stays visible.
  const font = `svg { overflow: visible; font-family: ${getComputedStyle(document.body).fontFamily} }`
  const source = `<svg xmlns="http://www.w3.org/2000/svg" data-theme="light" width="${width}" height="${height}">
    <style>${serializeXml(new Text([...styleRules, font].join('\n')))}</style>
    <rect width="100%" height="100%" fill="#fff" />
    <text x="24" y="26" font-size="15" font-weight="600" class="fill-ink">${serializeXml(new Text(title))}</text>
    <text x="24" y="45" font-size="11.5" class="fill-mute">${serializeXml(new Text(subtitle))}</text>
    <g transform="translate(24 58)">${drawing.xml}</g>
  </svg>`
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = 2 * width
  canvas.height = 2 * height
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))))
  })
}
