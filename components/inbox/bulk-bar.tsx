import { AlarmClock, Download, Ellipsis, ListChecks, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useLayoutEffect, useRef, useState } from 'react'
import { useCommands } from '@/components/desk/commands'
import { StatusDot } from '@/components/triage/status-dot'
import { useListCounts } from '@/components/triage/use-pending'
import { useTriage } from '@/components/triage/use-triage'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd } from '@/components/ui/kbd'
import { Menu, MenuItem, MenuKeys, MenuSeparator } from '@/components/ui/menu'
import type { LeadStatus } from '@/lib/contract/lead'
import type { Matching } from '@/lib/contract/list-query'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { filterOf } from '@/lib/inbox/filter-params'
import { keyOf } from '@/lib/inbox/lead-text'
import { refOf } from '@/lib/leads/lead-key'
import { isHeavy } from '@/lib/inbox/list-state'
import type { TriageDecision } from '@/lib/inbox/undo-steps'
import { byList, type LeadsOfList } from './leads-of-list'
import type { InboxState } from './use-inbox'

export function BulkBar({ inbox }: { inbox: InboxState }) {
  const t = useTranslations('inbox.marked')
  const inboxWords = useTranslations('inbox')
  const { marked, rows } = inbox
  const total = rows.count + rows.above
  const bulk = useBulk(inbox)
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => keepAbove(bar.current), [])
  return (
    <section
      ref={bar}
      aria-label={t('region')}
      className="@container flex animate-slide-up flex-col gap-2 border-t border-line bg-raised edge py-2.5 shadow-float"
    >
      <div className="-me-2 flex min-h-8 flex-wrap items-center text-sm desk:gap-x-1">
        <output className="tabular shrink-0 font-medium">{t('count', { count: marked.count })}</output>
        {!marked.isAll && marked.isAny && total > marked.count && (
          <Button variant="ghost" size="sm" className="min-w-0 px-1.5" onClick={marked.markAll}>
            <span className="tabular truncate text-accent">{t('all', { count: total })}</span>
          </Button>
        )}
        <span className="flex-1" />
        <span className="flex -space-x-2 desk:space-x-0.5">
          {bulk.progress === null && (
            <>
              <IconButton label={inboxWords('export')} disabled={!marked.isAny} onClick={bulk.exportLeads}>
                <Download aria-hidden />
              </IconButton>
              <MoreMenu bulk={bulk} count={marked.count} />
            </>
          )}
          <IconButton label={t('clear')} shortcut="Escape" onClick={marked.clear}>
            <X aria-hidden />
          </IconButton>
        </span>
      </div>
      {bulk.progress === null ? <Actions bulk={bulk} count={marked.count} /> : <BulkProgress {...bulk.progress} />}
    </section>
  )
}

/** The bar takes room from the list: the row that the keys are at must not disappear behind it. */
function keepAbove(bar: HTMLElement | null): void {
  const row = document.querySelector('[role=option][data-cursor=true]')
  if (bar === null || row === null) return
  const [taken, place] = [bar.getBoundingClientRect(), row.getBoundingClientRect()]
  if (place.bottom > taken.top && place.top < taken.bottom) row.scrollIntoView({ block: 'nearest' })
}

type PartProps = { bulk: Bulk; count: number }

function Actions({ bulk, count }: PartProps) {
  const t = useTranslations('inbox.marked')
  const acts = [
    { key: 'e', words: t('markHandled', { count }), run: () => bulk.set('handled') },
    { key: 'p', words: t('take', { count }), run: bulk.take },
    { key: 'a', words: t('assign'), run: bulk.assign },
  ]
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {acts.map(({ key, words, run }, place) => (
        <Button key={key} variant={place === 0 ? 'primary' : 'secondary'} disabled={count === 0} onClick={run}>
          {words}
          <span className="hidden @md:contents">
            <Kbd inverted={place === 0}>{key}</Kbd>
          </span>
        </Button>
      ))}
    </div>
  )
}

function MoreMenu({ bulk, count }: PartProps) {
  const t = useTranslations('inbox.marked')
  const acts = [
    { words: t('copyEmails'), icon: undefined, run: bulk.copyEmails },
    { words: t('putAside'), icon: <AlarmClock aria-hidden />, run: bulk.putAside },
    null,
    { words: t('renew', { count }), icon: <StatusDot status="new" />, run: () => bulk.set('new') },
    { words: t('markDismissed', { count }), icon: <StatusDot status="dismissed" />, run: () => bulk.set('dismissed') },
  ]
  return (
    <Menu
      label={t('more')}
      side="top"
      align="end"
      trigger={(props) => (
        <IconButton {...props} label={t('more')} disabled={count === 0}>
          <Ellipsis aria-hidden />
        </IconButton>
      )}
    >
      {(close) =>
        acts.map((act) =>
          act === null ? (
            <MenuSeparator key="parted" />
          ) : (
            <MenuItem key={act.words} icon={act.icon} onSelect={() => (close(), act.run())}>
              {act.words}
            </MenuItem>
          ),
        )
      }
    </Menu>
  )
}

type Progress = { done: number; total: number }

function BulkProgress({ done, total }: Progress) {
  const t = useTranslations('inbox.marked')
  const text = t('progress', { done, total })
  return (
    <div className="flex h-8 items-center gap-3 text-sm touch:h-11">
      <progress
        value={done}
        max={Math.max(1, total)}
        aria-label={text}
        className="h-1.5 flex-1 appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
      />
      <span aria-hidden className="tabular text-mute">
        {text}
      </span>
    </div>
  )
}

function useBulk(inbox: InboxState) {
  const { description, filters, marked, decide, setDialog, ask } = inbox
  const [progress, setProgress] = useState<Progress | null>(null)
  const triage = useTriage()
  const matching = description && { list: description.list, ...filterOf(filters.query) }

  const all = async (decision: TriageDecision) => {
    if (matching === null) return
    setProgress({ done: 0, total: marked.count })
    try {
      const isDone = await triage.changeMatching(matching, decision, setProgress)
      if (isDone && (decision.status ?? decision.snoozeUntil) !== undefined) marked.clear()
    } finally {
      setProgress(null)
    }
  }
  const change = (decision: TriageDecision) => {
    const { count } = marked
    if (!marked.isAll) decide.aboutTargets(decision)
    else if (isHeavy(count)) ask({ count, decision, onYes: () => void all(decision) })
    else void all(decision)
  }
  const set = (status: LeadStatus) => change({ status })
  const take = () => change(decide.taken)
  const open = (is: 'export' | 'copy-emails') => () => setDialog({ is, of: leadsOf(marked, matching) })
  const assign = () =>
    marked.isAll
      ? setDialog({ is: 'assign-all', count: marked.count, onAssign: (assignee) => void all({ assignee }) })
      : setDialog({ is: 'assign', leads: decide.targets() })
  const allAside = {
    count: marked.count,
    item: undefined,
    onChoose: (snoozeUntil: string) => void all({ snoozeUntil }),
  }
  const putAside = () => setDialog({ is: 'put-aside', ...(marked.isAll ? allAside : decide.putAside()) })
  const bulk = { progress, set, take, assign, putAside, exportLeads: open('export'), copyEmails: open('copy-emails') }

  const isFree = marked.isAny && progress === null
  const onAll = (run: () => void) => (isFree && marked.isAll ? run : undefined)
  useCommands({
    handled: onAll(() => set('handled')),
    inProgress: onAll(take),
    renew: onAll(() => set('new')),
    dismissed: onAll(() => set('dismissed')),
    assign: onAll(assign),
    followUp: onAll(putAside),
    export: isFree ? bulk.exportLeads : undefined,
    copyEmails: isFree ? bulk.copyEmails : undefined,
  })
  return bulk
}

function leadsOf({ isAll, ids, count }: InboxState['marked'], matching: Matching | null): LeadsOfList[] {
  return isAll && matching !== null ? [{ list: matching.list, target: { matching }, count }] : byList(ids)
}

type Bulk = ReturnType<typeof useBulk>

export function MarkedSummary({ inbox }: { inbox: InboxState }) {
  const t = useTranslations('inbox.marked')
  const status = useTranslations('common.status')
  const counts = useMarkedCounts(inbox)
  return (
    <div className="grid h-full place-content-center justify-items-center gap-4 p-6 text-center">
      <h2 className="tabular text-title font-semibold">{t('count', { count: inbox.marked.count })}</h2>
      <ul className="flex min-h-6 flex-wrap justify-center gap-x-5 gap-y-2 text-sm">
        {LEAD_STATUSES.filter((one) => (counts?.[one] ?? 0) > 0).map((one) => (
          <li key={one} className="flex items-center gap-2">
            <StatusDot status={one} />
            <span>
              {status(one)} <span className="tabular text-mute">{t('ofStatus', { count: counts?.[one] ?? 0 })}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="max-w-72 text-sm text-pretty text-mute">{t('hint')}</p>
      <p className="text-sm text-mute touch:hidden">{t.rich('esc', { kbd: (key) => <Kbd>{key}</Kbd> })}</p>
    </div>
  )
}

const MOST_IDS = 1_000

function useMarkedCounts({ marked, rows, description, filters }: InboxState) {
  const items = rows.items().filter((item) => marked.ids.has(keyOf(item)))
  const loaded = new Map(items.map((item) => [keyOf(item), item.triage.status]))
  const isLoaded = !marked.isAll && loaded.size === marked.ids.size
  const filter = marked.isAll
    ? filterOf(filters.query)
    : { id: [...marked.ids].slice(0, MOST_IDS).map((key) => refOf(key).id) }
  const isAsked = description !== null && !isLoaded && marked.ids.size <= MOST_IDS
  const data = useListCounts(description?.list ?? 'asked-questions', filter, isAsked)
  if (!isLoaded) return data && within(data.status, marked.isAll ? filters.query.status : undefined)
  const counts: Partial<Record<LeadStatus, number>> = {}
  for (const one of loaded.values()) counts[one] = (counts[one] ?? 0) + 1
  return counts
}

/** A count says what each status would show were it chosen; only those that are chosen are marked. */
function within(counts: Readonly<Record<string, number>>, chosen: readonly LeadStatus[] | undefined) {
  const shown = chosen ?? LEAD_STATUSES
  return Object.fromEntries(shown.map((one) => [one, counts[one] ?? 0])) satisfies Partial<Record<string, number>>
}

/** Everything that the list shows as a file; marking, which fingers have no key for. */
export function ListMenuItems({ inbox: { marked, exportAll }, close }: { inbox: InboxState; close: () => void }) {
  const t = useTranslations('inbox')
  return (
    <MenuKeys close={close}>
      <MenuItem icon={<Download />} onSelect={() => (close(), exportAll())}>
        {t('export')}
      </MenuItem>
      <MenuItem icon={<ListChecks />} onSelect={() => (close(), marked.isMarking ? marked.clear() : marked.choose())}>
        {t(marked.isMarking ? 'marked.stop' : 'marked.start')}
      </MenuItem>
    </MenuKeys>
  )
}
