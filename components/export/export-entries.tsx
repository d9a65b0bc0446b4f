import { CircleCheck, CircleDashed, CircleSlash } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useSchoolNames } from '@/components/desk/schools'
import { Button } from '@/components/ui/button'
import { DataTable } from '@/components/ui/data-table'
import type { ExportEntry, ExportState } from '@/lib/contract/export'
import type { Matching } from '@/lib/contract/list-query'
import { dayAndTime } from '@/lib/time/format-time'

type EntriesProps = {
  entries: readonly ExportEntry[]
  /** Those after which something may be new. */
  repeatable: ReadonlySet<string>
  onAgain: (entry: ExportEntry) => void
}

/** The exports of a person, for a wide screen. */
export function ExportTable({ entries, repeatable, onAgain }: EntriesProps) {
  const t = useTranslations('export')
  const columns = HEADINGS.map((heading) => ({
    name: t(`history.${heading}`),
    isNumber: heading === 'count',
    isSilent: heading === 'action',
  }))
  return (
    <DataTable look="card" caption={t('history.table')} columns={columns}>
      {entries.map((entry) => (
        <EntryRow key={entry.id} entry={entry} onAgain={repeatable.has(entry.id) ? () => onAgain(entry) : undefined} />
      ))}
    </DataTable>
  )
}

const HEADINGS = ['at', 'list', 'count', 'format', 'purpose', 'matching', 'state', 'action'] as const

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

/** The exports of a person, for a narrow screen. */
export function ExportCards({ entries, repeatable, onAgain }: EntriesProps) {
  const t = useTranslations('export')
  return (
    <ul aria-label={t('history.table')} className="flex flex-col gap-3">
      {entries.map((entry) => (
        <li key={entry.id} className="flex flex-col gap-2 rounded-lg border border-line bg-panel p-3.5 shadow-card">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
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

/** Leads to what is new since an export. */
function AgainButton({ onClick }: { onClick: () => void }) {
  const t = useTranslations('export.history')
  return (
    <Button size="sm" onClick={onClick}>
      {t('again')}
    </Button>
  )
}

const marks: Record<ExportState, { Icon: typeof CircleCheck; colour: string }> = {
  started: { Icon: CircleDashed, colour: 'text-status-progress' },
  finished: { Icon: CircleCheck, colour: 'text-status-handled' },
  broken: { Icon: CircleSlash, colour: 'text-danger' },
}

/** How an export ended, by shape, word and colour. */
function ExportStateMark({ entry: { state, written, count } }: { entry: ExportEntry }) {
  const t = useTranslations('export.history')
  const { Icon, colour } = marks[state]
  const isPartly = state === 'broken' && written !== null
  return (
    <span className="tabular inline-flex items-center align-middle gap-1.5">
      <Icon aria-hidden className={`size-4 shrink-0 ${colour}`} />
      {isPartly ? t('brokenAt', { written, count }) : t(state)}
    </span>
  )
}

/** When an export was made. The browser may be in another day than the server was when it made the page. */
function ExportedAt({ at }: { at: string }) {
  const locale = useLocale()
  const [now] = useState(Date.now)
  return (
    <time dateTime={at} className="tabular whitespace-nowrap" suppressHydrationWarning>
      {dayAndTime(Date.parse(at), now, locale)}
    </time>
  )
}

/** Which leads an export was of, in the words of the filters. */
function MatchingText({ entry: { matching, newOnly, purpose } }: { entry: ExportEntry }) {
  const t = useTranslations('export.history')
  const parts = useFilterWords(matching)
  // Without the purpose the whole reason could not be read.
  if (matching === null) return purpose === '' ? t('unreadable') : t('picked')
  const text = parts.length === 0 ? t('everything') : parts.join(' · ')
  return newOnly ? t('onlyNew', { filter: text }) : text
}

function useFilterWords(matching: Matching | null): string[] {
  const t = useTranslations()
  const { byId: schoolName } = useSchoolNames()
  if (matching === null) return []
  const { q, status, school, assignee, from, to, fresh, id } = matching
  const stated = 'export.history.stated' as const
  const words = [
    q !== undefined && q.trim() !== '' && t(`${stated}.q`, { text: q.trim() }),
    status?.map((one) => t(`common.status.${one}`)).join(', '),
    'year' in matching && matching.year && t(`${stated}.year`, { years: matching.year.map(String).join(', ') }),
    'mode' in matching && matching.mode?.map((one) => t(`inbox.mode.${one}`)).join(', '),
    school &&
      (school.length > 2 ? t(`${stated}.schools`, { count: school.length }) : school.map(schoolName).join(', ')),
    assignee && t(`${stated}.assignee`, { who: assignee.map((who) => t(`${stated}.${personOf(who)}`)).join(', ') }),
    from !== undefined && t(`${stated}.since`, { day: from }),
    to !== undefined && t(`${stated}.until`, { day: to }),
    fresh === true && t(`${stated}.fresh`),
    id && t(`${stated}.ids`, { count: id.length }),
  ]
  return words.flatMap((part) => part || [])
}

function personOf(assignee: string): 'me' | 'none' | 'person' {
  return assignee === 'me' || assignee === 'none' ? assignee : 'person'
}
