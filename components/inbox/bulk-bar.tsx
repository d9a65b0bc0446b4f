import { AlarmClock, Download, Ellipsis, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useLayoutEffect, useRef, useState } from 'react'
import { useCommands } from '@/components/desk/commands'
import type { LeadTarget } from '@/components/export/export-dialog'
import { StatusDot } from '@/components/triage/status-dot'
import { useTriage } from '@/components/triage/use-triage'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd } from '@/components/ui/kbd'
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu'
import type { LeadStatus } from '@/lib/contract/lead'
import { filterOf } from '@/lib/inbox/filter-params'
import { isHeavy } from '@/lib/inbox/subject'
import type { TriageDecision } from '@/lib/inbox/triage-history'
import type { InboxState } from './use-inbox'

/** What can be done with the marked leads, and exactly how many they are. */
export function BulkBar({ inbox }: { inbox: InboxState }) {
  const t = useTranslations('inbox.marked')
  const inboxWords = useTranslations('inbox')
  const { marked, rows } = inbox
  const total = rows.count + rows.waiting
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

/** With how many leads are marked. */
type PartProps = { bulk: Bulk; count: number }

function Actions({ bulk, count }: PartProps) {
  const t = useTranslations('inbox.marked')
  const isAny = count > 0
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <Button variant="primary" disabled={!isAny} onClick={() => bulk.set('handled')}>
        {t('markHandled', { count })}
        <span className={keyClass}>
          <Kbd inverted>e</Kbd>
        </span>
      </Button>
      <Button disabled={!isAny} onClick={bulk.take}>
        {t('take', { count })}
        <span className={keyClass}>
          <Kbd>p</Kbd>
        </span>
      </Button>
      <Button disabled={!isAny} onClick={bulk.assign}>
        {t('assign')}
        <span className={keyClass}>
          <Kbd>a</Kbd>
        </span>
      </Button>
    </div>
  )
}

/** In a narrow list the words need the room. */
const keyClass = 'hidden @md:contents'

function MoreMenu({ bulk, count }: PartProps) {
  const t = useTranslations('inbox.marked')
  const closeAnd = (close: () => void, run: () => void) => () => {
    close()
    run()
  }
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
      {(close) => (
        <>
          <MenuItem onSelect={closeAnd(close, bulk.copyEmails)}>{t('copyEmails')}</MenuItem>
          <MenuItem icon={<AlarmClock aria-hidden />} onSelect={closeAnd(close, bulk.putAside)}>
            {t('putAside')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<StatusDot status="new" />} onSelect={closeAnd(close, () => bulk.set('new'))}>
            {t('renew', { count })}
          </MenuItem>
          <MenuItem icon={<StatusDot status="dismissed" />} onSelect={closeAnd(close, () => bulk.set('dismissed'))}>
            {t('markDismissed', { count })}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

type Progress = { done: number; total: number }

/** How far a change of many leads has come. */
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

/** What the bar does: with leads that were marked one by one, or on the server with all that match. */
function useBulk(inbox: InboxState) {
  const { description, filters, marked, decide, setDialog, ask } = inbox
  const { list, kind } = description
  const [progress, setProgress] = useState<Progress | null>(null)
  const triage = useTriage()
  const matching = { list, ...filterOf(filters.query) }

  const all = async (decision: TriageDecision) => {
    setProgress({ done: 0, total: marked.count })
    try {
      const isDone = await triage.changeMatching(matching, decision, setProgress)
      if (isDone && (decision.status ?? decision.snoozeUntil) !== undefined) marked.clear()
    } finally {
      setProgress(null)
    }
  }
  const target: LeadTarget = marked.isAll ? { matching } : { leads: [...marked.ids].map((id) => ({ kind, id })) }
  const change = (decision: TriageDecision) => {
    const { count } = marked
    if (!marked.isAll) decide.aboutTargets(decision)
    else if (isHeavy(count)) ask({ count, decision, onYes: () => void all(decision) })
    else void all(decision)
  }
  const set = (status: LeadStatus) => change({ status })
  const take = () => change(decide.taken)
  const open = (is: 'export' | 'copy-emails') => () => setDialog({ is, target, count: marked.count })
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
  const onAll = (status: LeadStatus) => (isFree && marked.isAll ? () => set(status) : undefined)
  useCommands({
    handled: onAll('handled'),
    inProgress: isFree && marked.isAll ? take : undefined,
    renew: onAll('new'),
    dismissed: onAll('dismissed'),
    assign: isFree && marked.isAll ? assign : undefined,
    followUp: isFree && marked.isAll ? putAside : undefined,
    export: isFree ? bulk.exportLeads : undefined,
    copyEmails: isFree ? bulk.copyEmails : undefined,
  })
  return bulk
}

type Bulk = ReturnType<typeof useBulk>
