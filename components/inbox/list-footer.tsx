import { TriangleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useDayTimeFormatter } from '@/components/app/clock'
import { useFeedStatus } from '@/components/app/feed-status'
import { toProblemKey } from '@/components/app/feed-summary'
import { useIsOnline } from '@/components/ui/browser-state'
import { type LeadItem, toLists } from '@/lib/api/leads'
import { findDisplayName, isQuestion, cutOpening } from '@/lib/inbox/lead-text'
import { useInbox } from './use-inbox'

/** Says why the rows may be out of date, and which leads the list hides by default. */
export function ListFooter() {
  const t = useTranslations()
  const { listOrQueue, rows, counts, actions } = useInbox()
  // The status has the problem, because a failed fetch brings no new page.
  const { data: status } = useFeedStatus()
  const isCutOff = !useIsOnline() || rows.error !== null
  const formatDayTime = useDayTimeFormatter()
  const lists = toLists(listOrQueue).flatMap((list) => status?.lists[list] ?? [])
  const snapshot = lists.find(({ stale, problem }) => stale || problem !== null) ?? lists[0] ?? rows.data?.snapshot
  const problem = snapshot?.problem ?? null
  const texts = [
    problem && `${t(`status.problem.${toProblemKey(problem)}`)}.`,
    snapshot && t('inbox.asOf', { when: formatDayTime(snapshot.fetchedAt) }),
    problem && t('status.since', { since: formatDayTime(problem.since) }),
  ]
  const isOld = snapshot?.stale || problem !== null || isCutOff
  const hiddenGroups = (['earlier', 'snoozed'] as const).flatMap((name) => {
    const count = counts?.hidden[name] ?? 0
    return count > 0 ? [{ name, text: t(`inbox.hidden.${name}`, { count }) }] : []
  })
  return (
    <>
      {rows.data !== undefined && isOld && (
        <output className="edge flex gap-2.5 border-t border-line-soft bg-warn py-2.5 text-sm text-warn-ink">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" />
          <span suppressHydrationWarning>{isCutOff ? t('status.unreachable') : texts.filter(Boolean).join(' ')}</span>
        </output>
      )}
      {hiddenGroups.length > 0 && (
        <p className="tabular edge flex min-h-8 flex-wrap items-center gap-x-3 border-t border-line-soft bg-panel py-1 text-xs text-mute print:hidden">
          {hiddenGroups.map(({ name, text }) => (
            <span key={name}>
              {text}{' '}
              <button
                type="button"
                aria-label={`${t('inbox.hidden.show')}: ${text}`}
                onClick={() => actions.setFilters({ [name]: name === 'snoozed' ? '1' : 'all' })}
                className="inline-flex items-center font-medium text-ink underline decoration-line underline-offset-2 hover:decoration-current touch:min-h-11 touch:px-2"
              >
                {t('inbox.hidden.show')}
              </button>
            </span>
          ))}
        </p>
      )}
    </>
  )
}

/** A screen reader says "3 of 1 204, Åsa Öberg, New" when another lead opens. */
export function CursorAnnouncement({ item }: { item: LeadItem }) {
  const t = useTranslations()
  const { rows, cursor } = useInbox()
  const knownName = isQuestion(item) ? cutOpening(item.question) : findDisplayName(item)
  const name = knownName || t(item.protected ? 'inbox.protected' : 'inbox.nameMissing')
  const status = t(`common.status.${item.triage.status}`)
  return <span>{t('inbox.at', { place: cursor.row + 1, count: rows.count, name, status })}</span>
}
