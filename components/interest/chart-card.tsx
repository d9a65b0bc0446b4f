import { Download, Image as ImageIcon, Table as TableIcon } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { saveFile } from '@/components/browser/save-file'
import { cn } from '@/components/ui/cn'
import { DataTable } from '@/components/ui/data-table'
import { IconButton } from '@/components/ui/icon-button'
import { ChoiceMenu } from '@/components/ui/menu'
import { toast } from '@/components/ui/toast'
import { type Figures, figuresCsv } from '@/lib/export/csv'
import { useCountWords } from './figure-words'
import { pictureOf } from './picture'

export type ChartSource = { asOf: string; subtitle: string }

type ChartCardProps = {
  title: string
  note: string
  file: ChartSource & { name: string }
  figures: Figures | null
  /** The same for people; left out where the chart is a table itself. */
  table?: Figures
  /** May be printed on several sheets, and begins one. */
  isLong?: boolean
  className?: string | undefined
  children: ReactNode
}

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
          <p suppressHydrationWarning className="text-xs text-faint">
            {note}
          </p>
        </div>
        {figures && <ChartFiles title={title} file={file} figures={figures} chart={body} />}
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

type ChartFilesProps = {
  title: string
  file: ChartCardProps['file']
  figures: Figures
  chart: RefObject<HTMLElement | null>
}

function ChartFiles({ title, file: { name, asOf, subtitle }, figures, chart }: ChartFilesProps) {
  const t = useTranslations('interest.chart')
  const label = t('download', { title })
  const save = (blob: Blob, extension: string) => saveFile(`${name}-${asOf}.${extension}`, blob)
  const savePicture = async () => {
    try {
      const drawing = chart.current?.querySelector('svg[data-picture]')
      if (!(drawing instanceof SVGSVGElement)) throw new Error('there is no drawing')
      save(await pictureOf(drawing, { title, subtitle }), 'png')
    } catch {
      toast(t('failed'), { tone: 'error' })
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
        trigger={(props) => (
          <IconButton {...props} label={label}>
            <Download aria-hidden />
          </IconButton>
        )}
      />
    </span>
  )
}

function FiguresTable({ caption, figures: { columns, rows } }: { caption: string; figures: Figures }) {
  const t = useTranslations('interest.chart')
  const { figure } = useCountWords()
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

export function NothingToDraw({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-center gap-3 rounded-md border border-dashed border-line px-3.5 py-4 text-sm text-mute [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-faint">
      {icon}
      {children}
    </p>
  )
}
