'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useId, useRef } from 'react'
import { cn } from '@/components/ui/cn'
import type { Figures } from '@/lib/interest/figures-csv'
import { ChartActions, type ChartFile } from './chart-actions'
import { FiguresTable } from './figures-table'

type ChartCardProps = {
  title: string
  note?: string
  file: ChartFile
  /** For the file; null where there is nothing to draw. */
  figures: Figures | null
  /** The same for people; left out where the chart is a table itself. */
  table?: Figures
  className?: string
  children: ReactNode
}

/** A chart with its name, its table, its picture and its file. */
export function ChartCard({ title, note, file, figures, table, className, children }: ChartCardProps) {
  const t = useTranslations('interest.chart')
  const titleId = useId()
  const body = useRef<HTMLDivElement>(null)
  return (
    <section
      aria-labelledby={titleId}
      className={cn(
        'flex min-w-0 flex-col rounded-lg border border-line bg-panel p-4 print:break-inside-avoid print:rounded-none print:border-x-0 print:border-b-0 print:px-0',
        className,
      )}
    >
      <header className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={titleId} className="text-sm font-semibold text-balance">
          {title}
        </h2>
        {note !== undefined && (
          <p suppressHydrationWarning className="text-xs text-faint">
            {note}
          </p>
        )}
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
