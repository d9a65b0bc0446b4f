'use client'

import { useTranslations } from 'next-intl'
import { AgainButton } from './again-button'
import { ExportStateMark } from './export-state-mark'
import { ExportedAt } from './exported-at'
import type { EntriesProps } from './export-table'
import { MatchingText } from './matching-text'

/** The exports of a person, for a narrow screen. */
export function ExportCards({ entries, repeatable, onAgain }: EntriesProps) {
  const t = useTranslations('export')
  return (
    <ul aria-label={t('history.table')} className="flex flex-col gap-3">
      {entries.map((entry) => (
        <li key={entry.id} className="flex flex-col gap-2 rounded-lg border border-line bg-panel p-3.5 shadow-card">
          <div className="flex items-baseline justify-between gap-3">
            <h2 className="tabular font-semibold">{t(`counted.${entry.list}`, { count: entry.count })}</h2>
            <span className="text-sm text-mute">{t(`format.${entry.format}`)}</span>
          </div>
          <p className="text-sm wrap-anywhere">{entry.purpose || t('history.unreadable')}</p>
          <p className="text-sm text-mute wrap-anywhere">
            <MatchingText entry={entry} />
          </p>
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
            <span className="text-mute">
              <ExportedAt at={entry.at} />
            </span>
            <ExportStateMark entry={entry} />
          </div>
          {repeatable.has(entry.id) && <AgainButton onClick={() => onAgain(entry)} />}
        </li>
      ))}
    </ul>
  )
}
