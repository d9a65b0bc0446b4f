import { Download, Image as ImageIcon, Table as TableIcon } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { saveFile } from '@/components/browser/save-file'
import { cn } from '@/components/ui/cn'
import { DataTable } from '@/components/ui/data-table'
import { IconButton } from '@/components/ui/icon-button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { toast } from '@/components/ui/toast'
import { type Figures, figuresCsv } from '@/lib/export/csv'
import { useCountWords } from './figure-words'
import { pictureOf } from './picture'

type ChartCardProps = {
  title: string
  note?: string
  file: ChartFile
  /** For the file; null where there is nothing to draw. */
  figures: Figures | null
  /** The same for people; left out where the chart is a table itself. */
  table?: Figures
  /** May stand on several sheets of paper, and begins one. */
  isLong?: boolean
  className?: string
  children: ReactNode
}

/** A chart with its name, its table, its picture and its file. */
export function ChartCard({ title, note, file, figures, table, isLong = false, className, children }: ChartCardProps) {
  const t = useTranslations('interest.chart')
  const titleId = useId()
  const body = useRef<HTMLDivElement>(null)
  return (
    <section
      aria-labelledby={titleId}
      className={cn(
        'flex min-w-0 flex-col rounded-lg border border-line bg-panel p-4 print:rounded-none print:border-x-0 print:border-b-0 print:px-0',
        isLong ? 'print:break-before-page' : 'print:break-inside-avoid',
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
        {figures && <ChartActions title={title} file={file} figures={figures} chart={body} />}
      </header>
      <div ref={body} className="flex min-h-0 min-w-0 flex-1 flex-col">
        {children}
      </div>
      {figures && table && (
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

/** Of all charts: the day that their files are of, and what stands in their pictures beneath the title. */
export type ChartSource = { asOf: string; subtitle: string }
type ChartFile = ChartSource & { name: string }

type ChartActionsProps = {
  title: string
  file: ChartFile
  figures: Figures
  /** Holds the drawing. */
  chart: RefObject<HTMLElement | null>
}

/** A chart's picture and its figures, as files. */
function ChartActions({ title, file, figures, chart }: ChartActionsProps) {
  const t = useTranslations('interest.chart')
  const fileName = `${file.name}-${file.asOf}`
  const savePicture = async () => {
    try {
      const drawing = chart.current?.querySelector('svg[data-picture]')
      if (!(drawing instanceof SVGSVGElement)) throw new Error('there is no drawing')
      saveFile(`${fileName}.png`, await pictureOf(drawing, { title, subtitle: file.subtitle }))
    } catch {
      toast(t('failed'), { tone: 'error' })
    }
  }
  const saveFigures = () =>
    saveFile(`${fileName}.csv`, new Blob([figuresCsv(figures)], { type: 'text/csv;charset=utf-8' }))
  return (
    <span className="-my-1.5 -mr-1.5">
      <Menu
        label={t('download', { title })}
        align="end"
        trigger={(props) => (
          <IconButton {...props} label={t('download', { title })}>
            <Download aria-hidden />
          </IconButton>
        )}
      >
        {(close) => (
          <>
            <MenuItem icon={<ImageIcon />} onSelect={closeAnd(close, () => void savePicture())}>
              {t('picture')}
            </MenuItem>
            <MenuItem icon={<TableIcon />} onSelect={closeAnd(close, saveFigures)}>
              {t('file')}
            </MenuItem>
          </>
        )}
      </Menu>
    </span>
  )
}

function closeAnd(close: () => void, run: () => void): () => void {
  return () => {
    close()
    run()
  }
}

/** Stands where there is nothing to draw: what is missing, and no taller than that needs. */
export function NothingToDraw({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-center gap-3 rounded-md border border-dashed border-line px-3.5 py-4 text-sm text-mute [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-faint">
      {icon}
      {children}
    </p>
  )
}

/** The figures as a table that scrolls within itself; the first column names the row. */
function FiguresTable({ caption, figures: { columns, rows } }: { caption: string; figures: Figures }) {
  const t = useTranslations('interest.chart')
  const { figure } = useCountWords()
  const isNumber = columns.map((_, column) =>
    rows.some((row) => typeof row[column] === 'number' || row[column] === '<5'),
  )
  return (
    <DataTable
      look="figures"
      caption={caption}
      label={t('tableOf', { title: caption })}
      columns={columns.map((name, column) => ({ name, isNumber: isNumber[column] ?? false }))}
    >
      {rows.map(([name, ...cells]) => (
        <tr key={[name, ...cells].join(' ')}>
          <th scope="row" className="border-b border-line-soft font-medium">
            {name}
          </th>
          {cells.map((cell, index) => (
            <td key={columns[index + 1]} className={cn(isNumber[index + 1] && 'text-right')}>
              {typeof cell === 'number' || cell === '<5' ? figure(cell) : cell}
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  )
}
