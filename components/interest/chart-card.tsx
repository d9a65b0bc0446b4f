import { Download, Image as ImageIcon, Table as TableIcon } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { saveFile } from '@/components/app/save-file'
import { cn } from '@/components/ui/cn'
import { RowsTable } from '@/components/ui/data-table'
import { IconButton } from '@/components/ui/icon-button'
import { ChoiceMenu } from '@/components/ui/menu'
import { toast } from '@/components/ui/toast'
import { truncate } from '@/lib/cut-text'
import { type Figures, figuresCsv } from '@/lib/export/csv'
import { useFigureWords } from './figure-words'

export type ChartSource = { asOf: string; subtitle: string }

type ChartCardProps = {
  title: string
  note?: string
  file: ChartSource & { name: string }
  figures: Figures
  /** Left out where the chart is a table itself. */
  table?: Figures
  className?: string | undefined
  /** Drawn for the PNG alone, where the chart is no drawing. */
  picture?: ReactNode
  id?: string
  children: ReactNode
}

export function ChartCard(props: ChartCardProps) {
  const { title, note, file, figures, table, className, picture, id, children } = props
  const t = useTranslations('interest.chart')
  const titleId = useId()
  const body = useRef<HTMLDivElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  const label = t('download', { title })
  const save = (blob: Blob, extension: string) => saveFile(`${file.name}-${file.asOf}.${extension}`, blob)
  const savePicture = async () => {
    try {
      flushSync(() => setDrawn(true))
      const drawing = body.current?.querySelector<SVGSVGElement>('svg[data-picture]')
      if (!drawing) throw new Error('there is no drawing')
      save(await drawPng(drawing, title, file.subtitle), 'png')
    } catch {
      toast(t('failed'), { tone: 'error' })
    } finally {
      setDrawn(false)
    }
  }
  const saveFigures = () => save(new Blob([figuresCsv(figures)], { type: 'text/csv;charset=utf-8' }), 'csv')
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
        <span className="-my-1.5 -mr-1.5">
          <ChoiceMenu
            label={label}
            entries={[
              { text: t('picture'), icon: <ImageIcon />, onSelect: () => void savePicture() },
              { text: t('file'), icon: <TableIcon />, onSelect: saveFigures },
            ]}
            align="end"
            trigger={(trigger) => <IconButton {...trigger} icon={Download} label={label} />}
          />
        </span>
      </header>
      <div ref={body} className="flex min-h-0 min-w-0 flex-1 flex-col">
        {children}
        {isDrawn && <div hidden>{picture}</div>}
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

function FiguresTable({ caption, figures: { columns, rows } }: { caption: string; figures: Figures }) {
  const t = useTranslations('interest.chart')
  const { figure } = useFigureWords()
  const isCount = (cell: unknown): cell is number | '<5' => typeof cell === 'number' || cell === '<5'
  const headings = columns.map((name, column) => ({
    name,
    isNumber: rows.some((row) => isCount(row[column])),
    cell: ({ [column]: cell }: Figures['rows'][number]) => (isCount(cell) ? figure(cell) : cell),
  }))
  const label = t('tableOf', { title: caption })
  return (
    <RowsTable
      look="figures"
      caption={caption}
      label={label}
      columns={headings}
      rows={rows}
      keyOf={(row) => row.join(' ')}
    />
  )
}

type DrawingProps = { width: number; height: number; className?: string; children: ReactNode }

/** What a chart draws. It has no name of its own: the box around it says what it shows, and its PNG is made of it. */
export function Drawing({ width, height, className = 'text-[11.5px] print:text-[10.5px]', children }: DrawingProps) {
  return (
    <svg
      data-picture
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      className={className}
    >
      {children}
    </svg>
  )
}

const [NAME, COLUMN, ROW] = [190, 112, 24]

export function TablePicture({ columns, rows }: Figures) {
  const format = useFormatter()
  const width = NAME + (columns.length - 1) * COLUMN
  return (
    <Drawing width={width} height={(rows.length + 1) * ROW} className="tabular text-[12px]">
      {[columns, ...rows].map((cells, row) =>
        cells.map((cell, column) => (
          <text
            key={`${row} ${columns[column]}`}
            x={column === 0 ? 0 : NAME + column * COLUMN - 6}
            y={row * ROW + 16}
            textAnchor={column === 0 ? 'start' : 'end'}
            className={row === 0 ? 'fill-mute font-medium' : 'fill-ink'}
          >
            {truncate(typeof cell === 'number' ? format.number(cell) : (cell ?? ''), column === 0 ? 28 : 17)}
          </text>
        )),
      )}
    </Drawing>
  )
}

/** Draws below a title and subtitle, as on light paper, in twice the size. The styles go along, because an image has none. */
async function drawPng(drawing: SVGSVGElement, title: string, subtitle: string): Promise<Blob> {
  const xml = (node: Node) => new XMLSerializer().serializeToString(node)
  const [width, height] = [drawing.viewBox.baseVal.width + 48, drawing.viewBox.baseVal.height + 82]
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText))
  const font = `svg { font-family: ${getComputedStyle(document.body).fontFamily} }`
  const source = `<svg xmlns="http://www.w3.org/2000/svg" data-theme="light" width="${width}" height="${height}">
    <style>${xml(new Text([...rules, font].join('\n')))}</style>
    <rect width="100%" height="100%" fill="#fff" />
    <text x="24" y="26" font-size="15" font-weight="600" class="fill-ink">${xml(new Text(title))}</text>
    <text x="24" y="45" font-size="11.5" class="fill-mute">${xml(new Text(subtitle))}</text>
    <g transform="translate(24 58)">${xml(drawing)}</g>
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
