import { Download, Image as ImageIcon, Table as TableIcon } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { saveFile } from '@/components/browser/save-file'
import { cn } from '@/components/ui/cn'
import { DataTable } from '@/components/ui/data-table'
import { IconButton } from '@/components/ui/icon-button'
import { ChoiceMenu } from '@/components/ui/menu'
import { toast } from '@/components/ui/toast'
import { truncate } from '@/lib/cut-text'
import { type Figures, figuresCsv } from '@/lib/export/csv'
import { useFigureWords } from './figure-words'
import { Drawing } from './plot-frame'

export type ChartSource = { asOf: string; subtitle: string }

type ChartCardProps = {
  title: string
  note?: string
  file: ChartSource & { name: string }
  figures: Figures
  /** Left out where the chart is a table itself. */
  table?: Figures
  className?: string | undefined
  /** Drawn for the picture alone, where the chart is no drawing. */
  picture?: () => ReactNode
  /** Where a link leads. */
  id?: string
  children: ReactNode
}

export function ChartCard(props: ChartCardProps) {
  const { title, note, file, figures, table, className, picture, id, children } = props
  const t = useTranslations('interest.chart')
  const titleId = useId()
  const body = useRef<HTMLDivElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  return (
    <section
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      aria-labelledby={titleId}
      className={cn(
        'flex min-w-0 scroll-mt-4 flex-col rounded-lg border border-line bg-panel p-4 print:break-inside-avoid print:border-0 print:p-0',
        className,
      )}
    >
      <header className="mb-2 flex items-start gap-3">
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 gap-y-1">
          <h2 id={titleId} className="text-sm font-semibold text-balance">
            {title}
          </h2>
          {note !== undefined && (
            <p suppressHydrationWarning className="text-xs text-faint">
              {note}
            </p>
          )}
        </div>
        <ChartFiles title={title} file={file} figures={figures} chart={body} onDraw={setDrawn} />
      </header>
      <div ref={body} className="flex min-h-0 min-w-0 flex-1 flex-col">
        {children}
        {isDrawn && <div hidden>{picture?.()}</div>}
      </div>
      {table && (
        <details className="mt-3 text-sm print:hidden">
          <summary className="w-fit cursor-pointer rounded-sm py-1.5 text-xs text-mute hover:text-ink touch:py-3">
            {t('table')}
          </summary>
          <FiguresTable caption={title} figures={table} />
        </details>
      )}
    </section>
  )
}

type ChartFilesProps = {
  title: string
  file: ChartCardProps['file']
  figures: Figures
  chart: RefObject<HTMLElement | null>
  onDraw: (isDrawn: boolean) => void
}

function ChartFiles({ title, file: { name, asOf, subtitle }, figures, chart, onDraw }: ChartFilesProps) {
  const t = useTranslations('interest.chart')
  const label = t('download', { title })
  const save = (blob: Blob, extension: string) => saveFile(`${name}-${asOf}.${extension}`, blob)
  const savePicture = async () => {
    try {
      flushSync(() => onDraw(true))
      const drawing = chart.current?.querySelector('svg[data-picture]')
      if (!(drawing instanceof SVGSVGElement)) throw new Error('there is no drawing')
      save(await pictureOf(drawing, { title, subtitle }), 'png')
    } catch {
      toast(t('failed'), { tone: 'error' })
    } finally {
      onDraw(false)
    }
  }
  const saveFigures = () => save(new Blob([figuresCsv(figures)], { type: 'text/csv;charset=utf-8' }), 'csv')
  const files = [
    { text: t('picture'), icon: <ImageIcon />, onSelect: () => void savePicture() },
    { text: t('file'), icon: <TableIcon />, onSelect: saveFigures },
  ]
  return (
    <span className="-my-1.5 -mr-1.5">
      <ChoiceMenu
        label={label}
        entries={files}
        align="end"
        trigger={(props) => <IconButton {...props} icon={Download} label={label} />}
      />
    </span>
  )
}

function FiguresTable({ caption, figures: { columns, rows } }: { caption: string; figures: Figures }) {
  const t = useTranslations('interest.chart')
  const { figure } = useFigureWords()
  const isCount = (cell: unknown) => typeof cell === 'number' || cell === '<5'
  const headings = columns.map((name, column) => ({ name, isNumber: rows.some((row) => isCount(row[column])) }))
  return (
    <DataTable look="figures" caption={caption} label={t('tableOf', { title: caption })} columns={headings}>
      {rows.map(([name, ...cells]) => (
        <tr key={[name, ...cells].join(' ')}>
          <th scope="row" className="border-b border-line-soft font-medium">
            {name}
          </th>
          {cells.map((cell, index) => (
            <td key={columns[index + 1]} className={cn(headings[index + 1]?.isNumber && 'text-right')}>
              {typeof cell === 'number' || cell === '<5' ? figure(cell) : cell}
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  )
}

const [NAME, COLUMN, ROW] = [190, 112, 24]
const [NAME_LETTERS, LETTERS] = [28, 17]

export function TablePicture({ columns: [first = '', ...columns], rows }: Figures) {
  const format = useFormatter()
  const write = (cell: Figures['rows'][number][number]) =>
    typeof cell === 'number' ? format.number(cell) : (cell ?? '')
  const line = (name: string, cells: readonly string[], className: string) => (
    <>
      <text x={0} y={16} className={className}>
        {truncate(name, NAME_LETTERS)}
      </text>
      {cells.map((text, column) => (
        <text key={columns[column]} x={NAME + (column + 1) * COLUMN - 6} y={16} textAnchor="end" className={className}>
          {truncate(text, LETTERS)}
        </text>
      ))}
    </>
  )
  return (
    <Drawing width={NAME + columns.length * COLUMN} height={(rows.length + 1) * ROW} className="tabular text-[12px]">
      {line(first, columns, 'fill-mute font-medium')}
      {rows.map(([name, ...cells], index) => (
        <g key={String(name)} transform={`translate(0 ${(index + 1) * ROW})`}>
          {line(String(name), cells.map(write).map(String), 'fill-ink')}
        </g>
      ))}
    </Drawing>
  )
}

/** A PNG of a drawing on the page, always as it looks on light paper, below its title and subtitle. */
async function pictureOf(drawing: SVGSVGElement, words: { title: string; subtitle: string }): Promise<Blob> {
  const { width, height } = drawing.viewBox.baseVal
  const stage = document.createElement('div')
  stage.style.cssText = 'position:fixed;left:-99999px;top:0'
  stage.style.width = `${width}px`
  const copy = drawing.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) throw new TypeError('a copy of a drawing is a drawing')
  stage.append(copy)
  document.body.append(stage)
  try {
    const colours = getComputedStyle(stage)
    inLightTheme(() => {
      for (const element of [copy, ...copy.querySelectorAll<SVGElement>('*')]) keepLooks(element)
    })
    const size = { width: width + 2 * PADDING, height: height + HEADER + PADDING }
    const { fontFamily } = colours
    const whole = svgElement('svg', { viewBox: `0 0 ${size.width} ${size.height}`, ...size, 'font-family': fontFamily })
    const line = { x: PADDING, y: 45, 'font-size': 11.5, 'font-weight': 400, fill: '#5d6066' }
    whole.append(
      svgElement('rect', { ...size, fill: '#fff' }),
      svgElement('text', { ...line, y: 26, 'font-size': 15, 'font-weight': 600, fill: '#1c1d20' }, words.title),
      svgElement('text', line, words.subtitle),
      withAttributes(copy, { x: PADDING, y: HEADER, width, height }),
    )
    return await toPng(new XMLSerializer().serializeToString(whole), size)
  } finally {
    stage.remove()
  }
}

const PADDING = 24
const HEADER = 58
const SCALE = 2

/** Changed back before anything is painted. */
function inLightTheme(work: () => void): void {
  const { dataset } = document.documentElement
  const theme = dataset['theme'] ?? ''
  dataset['theme'] = 'light'
  try {
    work()
  } finally {
    dataset['theme'] = theme
  }
}

/** A picture has no style sheets: what they say of these properties is written into the elements. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'opacity',
]

function keepLooks(element: SVGElement): void {
  const style = getComputedStyle(element)
  for (const name of STYLES) {
    const value = style.getPropertyValue(name)
    if (value !== '' && !value.startsWith('url(')) element.setAttribute(name, value)
  }
  element.removeAttribute('class')
}

type Attributes = Record<string, string | number>

function svgElement(name: string, attributes: Attributes, text = ''): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  element.textContent = text
  return withAttributes(element, attributes)
}

function withAttributes(element: SVGElement, attributes: Attributes): SVGElement {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  return element
}

async function toPng(source: string, { width, height }: { width: number; height: number }): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * SCALE
  canvas.height = height * SCALE
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))), 'image/png')
  })
}
