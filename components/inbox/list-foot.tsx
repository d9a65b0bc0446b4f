import { TriangleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useIsOnline } from '@/components/ui/browser-tab'
import { useDayAndTime } from '@/components/app/clock'
import { problemKey, useStatus } from '@/components/app/feed-status'
import { type LeadItem, listsOf } from '@/lib/api/leads'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import { isQuestion, nameOf, openingOf } from '@/lib/inbox/lead-text'
import { cursorIn, type InboxState } from './inbox-state'
import { useActs, useInbox } from './use-inbox'

/** Under the rows: why they may be old, and what the list leaves out by itself. */
export function ListFoot() {
  return (
    <>
      <Stale />
      <LeftOut />
    </>
  )
}

const ageIn = ({ place, rows }: InboxState) => ({
  place,
  snapshot: rows.data?.snapshot,
  hasFailed: rows.error !== null,
})

function Stale() {
  const { place, snapshot, hasFailed } = useInbox(ageIn)
  // A fault changes no lead, so the list is not read again for it; the status is.
  const { data: status } = useStatus()
  const isOnline = useIsOnline()
  if (snapshot === undefined) return null
  const all = listsOf(place).flatMap((list) => status?.lists[list] ?? [])
  const isOld = ({ stale, problem }: typeof snapshot) => stale || problem !== null
  const known = all.find(isOld) ?? all[0] ?? snapshot
  const isCutOff = !isOnline || hasFailed
  return (isOld(known) || isCutOff) && <StaleBanner known={known} isCutOff={isCutOff} />
}

const hiddenIn = ({ counts }: InboxState) => counts?.hidden ?? NONE_HIDDEN
const NONE_HIDDEN = { earlier: 0, snoozed: 0 }

function LeftOut() {
  const t = useTranslations('inbox.leftOut')
  const hidden = useInbox(hiddenIn)
  const { setFilters } = useActs()
  const shown = (['earlier', 'snoozed'] as const).filter((name) => hidden[name] > 0)
  if (shown.length === 0) return null
  return (
    <p className="tabular edge flex min-h-8 flex-wrap items-center gap-x-3 border-t border-line-soft bg-panel py-1 text-xs text-mute print:hidden">
      {shown.map((name) => (
        <span key={name}>
          {t(name, { count: hidden[name] })}{' '}
          <button
            type="button"
            aria-label={`${t('show')}: ${t(name, { count: hidden[name] })}`}
            onClick={() => setFilters({ [name]: name === 'snoozed' ? '1' : 'all' })}
            className="inline-flex items-center font-medium text-ink underline decoration-line underline-offset-2 hover:decoration-current touch:min-h-11 touch:px-2"
          >
            {t('show')}
          </button>
        </span>
      ))}
    </p>
  )
}

type StaleBannerProps = { known: Pick<SnapshotInfo, 'problem' | 'fetchedAt'>; isCutOff: boolean }

function StaleBanner({ known: { problem, fetchedAt }, isCutOff }: StaleBannerProps) {
  const t = useTranslations()
  const moment = useDayAndTime()
  const texts = [
    problem && `${t(`status.problem.${problemKey(problem)}`)}.`,
    t('inbox.asOf', { when: moment(fetchedAt) }),
    problem && t('status.since', { since: moment(problem.since) }),
  ]
  return (
    <output className="edge flex gap-2.5 border-t border-line-soft bg-warn py-2.5 text-sm text-warn-ink">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" />
      <span suppressHydrationWarning>{isCutOff ? t('status.unreachable') : texts.filter(Boolean).join(' ')}</span>
    </output>
  )
}

const placeIn = (state: InboxState) => ({ place: cursorIn(state).row + 1, count: state.rows.count })

/** Which lead has come up: "3 of 1 204, Åsa Öberg, New". With no lead open, the focus in the list says it. */
export function CursorWords({ item }: { item: LeadItem }) {
  const { place, count } = useInbox(placeIn)
  const t = useTranslations('inbox')
  const status = useTranslations('common.status')
  const known = isQuestion(item) ? openingOf(item.question) : nameOf(item)
  const name = known || t(item.protected ? 'protected' : 'nameMissing')
  return <span>{t('at', { place, count, name, status: status(item.triage.status) })}</span>
}
