import { Download, Image as ImageIcon, Table as TableIcon } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { type ReactNode, useId, useRef } from 'react'
import { downloadBlob } from '@/components/app/download-blob'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { toast } from '@/components/ui/toast'
import { type CsvTable, formatFiguresCsv } from '@/lib/export/csv'
import { drawTable, paintPng, readDrawing } from './chart-picture'

export type ChartSource = {
  /** The day of the figures, with which the names of files end. */
  asOf: string
  /** The line below the title of a picture. */
  subtitle: string
}

type ChartCardProps = {
  title: string
  note?: string
  file: ChartSource & { name: string }
  figures: CsvTable
  /** The PNG shows the chart's `svg[data-picture]`, or else these figures, or else those of the CSV. */
  pictureFigures?: CsvTable
  className?: string
  id?: string
  children: ReactNode
}

/** Frames a chart, with a menu to save its figures as CSV and its picture as PNG. */
export function ChartCard({ title, note, file, figures, pictureFigures, className, id, children }: ChartCardProps) {
  const t = useTranslations('interest.chart')
  const format = useFormatter()
  const titleId = useId()
  const chart = useRef<HTMLDivElement>(null)
  const label = t('download', { title })
  const save = (blob: Blob, extension: string) => downloadBlob(`${file.name}-${file.asOf}.${extension}`, blob)
  const saveFigures = () => save(new Blob([formatFiguresCsv(figures)], { type: 'text/csv;charset=utf-8' }), 'csv')
  const savePicture = async () => {
    try {
      const svg = chart.current?.querySelector<SVGSVGElement>('svg[data-picture]')
      const drawing = svg ? readDrawing(svg) : drawTable(pictureFigures ?? figures, (cell) => format.number(cell))
      save(await paintPng(drawing, title, file.subtitle), 'png')
    } catch {
      toast(t('failed'), { tone: 'error' })
    }
  }
  const downloads = [
    { text: t('picture'), icon: <ImageIcon />, download: savePicture },
    { text: t('figures'), icon: <TableIcon />, download: saveFigures },
  ]
  return (
    <section
      id={id}
      // A card with an id is the target of a link, which moves the focus to it.
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
          {/* Server and browser may write the dates of a note differently, hence `suppressHydrationWarning`. */}
          {note !== undefined && (
            <p suppressHydrationWarning className="text-xs text-faint">
              {note}
            </p>
          )}
        </div>
        <span className="-my-1.5 -mr-1.5">
          <Menu label={label} align="end" trigger={(props) => <IconButton {...props} icon={Download} label={label} />}>
            {(close) =>
              downloads.map(({ text, icon, download }) => (
                <MenuItem
                  key={text}
                  icon={icon}
                  onSelect={() => {
                    close()
                    void download()
                  }}
                >
                  {text}
                </MenuItem>
              ))
            }
          </Menu>
        </span>
      </header>
      <div ref={chart} className="flex min-h-0 min-w-0 flex-1 flex-col">
        {children}
      </div>
    </section>
  )
}
