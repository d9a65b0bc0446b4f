import { Download, Image as ImageIcon, Table as TableIcon } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { type ReactNode, useId, useRef } from 'react'
import { downloadBlob } from '@/components/app/download-blob'
import { cn } from '@/components/ui/cn'
import { DataTable } from '@/components/ui/data-table'
import { IconButton } from '@/components/ui/icon-button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { toast } from '@/components/ui/toast'
import { truncate } from '@/lib/cut-text'
import { type CsvTable, formatFiguresCsv } from '@/lib/export/csv'
import { useFigureFormat } from './figure-format'

export type ChartSource = { asOf: string; subtitle: string }

type ChartCardProps = {
  title: string
  note?: string
  file: ChartSource & { name: string }
  figures: CsvTable
  /** These figures unfold as a table below the chart. A chart that is a table itself has none. */
  tableFigures?: CsvTable
  /** The PNG shows these figures if the chart is a table; otherwise it shows the chart's `svg[data-picture]`. */
  pictureFigures?: CsvTable
  className?: string
  id?: string
  children: ReactNode
}

export function ChartCard(props: ChartCardProps) {
  const { title, note, file, figures, tableFigures, pictureFigures, className, id, children } = props
  const t = useTranslations('interest.chart')
  const format = useFormatter()
  const titleId = useId()
  const body = useRef<HTMLDivElement>(null)
  const label = t('download', { title })
  const save = (blob: Blob, extension: string) => downloadBlob(`${file.name}-${file.asOf}.${extension}`, blob)
  const saveFigures = () => save(new Blob([formatFiguresCsv(figures)], { type: 'text/csv;charset=utf-8' }), 'csv')
  const savePicture = async () => {
    const svg = body.current?.querySelector<SVGSVGElement>('svg[data-picture]')
    try {
      const drawing = pictureFigures
        ? drawTable(pictureFigures, (cell) => format.number(cell))
        : svg && { width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height, xml: serializeXml(svg) }
      if (!drawing) throw new Error('there is no drawing')
      save(await paintPng(drawing, title, file.subtitle), 'png')
    } catch {
      toast(t('failed'), { tone: 'error' })
    }
  }
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
          <Menu
            label={label}
            align="end"
            trigger={(trigger) => <IconButton {...trigger} icon={Download} label={label} />}
          >
            {(close) => [
              <MenuItem key="picture" icon={<ImageIcon />} onSelect={() => (close(), void savePicture())}>
                {t('picture')}
              </MenuItem>,
              <MenuItem key="file" icon={<TableIcon />} onSelect={() => (close(), saveFigures())}>
                {t('file')}
              </MenuItem>,
            ]}
          </Menu>
        </span>
      </header>
      <div ref={body} className="flex min-h-0 min-w-0 flex-1 flex-col">
        {children}
      </div>
      {tableFigures && <FiguresTable title={title} figures={tableFigures} />}
    </section>
  )
}

function FiguresTable({ title, figures: { columns, rows } }: { title: string; figures: CsvTable }) {
  const t = useTranslations('interest.chart')
  const { figure } = useFigureFormat()
  const isCount = (cell: unknown): cell is number | '<5' => typeof cell === 'number' || cell === '<5'
  return (
    <details className="mt-3 text-sm print:hidden">
      <summary className="w-fit cursor-pointer rounded-sm py-1.5 text-xs text-mute hover:text-ink touch:py-3">
        {t('table')}
      </summary>
      <DataTable
        variant="figures"
        caption={title}
        label={t('tableOf', { title })}
        columns={columns.map((name, column) => ({
          name,
          isNumber: rows.some((row) => isCount(row[column])),
          cell: ({ [column]: cell }: CsvTable['rows'][number]) => (isCount(cell) ? figure(cell) : cell),
        }))}
        rows={rows}
        rowKey={(row) => row.join(' ')}
      />
    </details>
  )
}

type Drawing = { width: number; height: number; xml: string }

const serializeXml = (node: Node) => new XMLSerializer().serializeToString(node)

const [NAME_WIDTH, COLUMN_WIDTH, ROW_HEIGHT] = [190, 112, 24]

function drawTable({ columns, rows }: CsvTable, formatNumber: (cell: number) => string): Drawing {
  const texts = [columns, ...rows].flatMap((cells, row) =>
    cells.map((cell, column) => {
      const text = truncate(typeof cell === 'number' ? formatNumber(cell) : (cell ?? ''), column === 0 ? 28 : 17)
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

/** Paints the drawing below a title, on white, in twice the size. An SVG image lacks the page's styles, so it gets a copy. */
async function paintPng(drawing: Drawing, title: string, subtitle: string): Promise<Blob> {
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
