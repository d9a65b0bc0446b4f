'use client'

import { useTranslations } from 'next-intl'
import { cn } from '@/components/ui/cn'
import type { ExportEntry } from '@/lib/contract/export'
import { AgainButton } from './again-button'
import { ExportStateMark } from './export-state-mark'
import { ExportedAt } from './exported-at'
import { MatchingText } from './matching-text'

export type EntriesProps = {
  entries: readonly ExportEntry[]
  /** Those after which something may be new. */
  repeatable: ReadonlySet<string>
  onAgain: (entry: ExportEntry) => void
}

const headings = ['at', 'list', 'count', 'format', 'purpose', 'matching', 'state', 'action'] as const

/** The exports of a person, for a wide screen. */
export function ExportTable({ entries, repeatable, onAgain }: EntriesProps) {
  const t = useTranslations('export')
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-panel shadow-card scroll-thin">
      <table className="w-full text-left text-sm [&_td]:border-t [&_td]:border-line-soft [&_td]:px-3 [&_td]:py-2 [&_td]:align-middle">
        <caption className="sr-only">{t('history.table')}</caption>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th
                key={heading}
                scope="col"
                className={cn('px-3 py-2 text-xs font-medium text-mute', heading === 'count' && 'text-right')}
              >
                <span className={heading === 'action' ? 'sr-only' : undefined}>{t(`history.${heading}`)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <EntryRow
              key={entry.id}
              entry={entry}
              onAgain={repeatable.has(entry.id) ? () => onAgain(entry) : undefined}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function EntryRow({ entry, onAgain }: { entry: ExportEntry; onAgain: (() => void) | undefined }) {
  const t = useTranslations('export')
  return (
    <tr>
      <td>
        <ExportedAt at={entry.at} />
      </td>
      <td>{t(`list.${entry.list}`)}</td>
      <td className="tabular text-right font-medium">{t('history.rows', { count: entry.count })}</td>
      <td>{t(`format.${entry.format}`)}</td>
      <td className="max-w-52 wrap-anywhere">{entry.purpose || t('history.unreadable')}</td>
      <td className="max-w-72 text-mute wrap-anywhere">
        <MatchingText entry={entry} />
      </td>
      <td className="whitespace-nowrap">
        <ExportStateMark entry={entry} />
      </td>
      <td className="text-right">{onAgain && <AgainButton onClick={onAgain} />}</td>
    </tr>
  )
}
