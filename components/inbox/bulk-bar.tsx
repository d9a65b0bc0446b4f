import { Download, Ellipsis, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
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
import type { TriageDecision } from '@/lib/inbox/triage-history'
import type { InboxState } from './use-inbox'

/** What can be done with the marked leads, and exactly how many they are. */
export function BulkBar({ inbox }: { inbox: InboxState }) {
  const t = useTranslations('inbox.marked')
  const { marked, rows } = inbox
  const total = rows.count + rows.waiting
  const bulk = useBulk(inbox)
  return (
    <section
      aria-label={t('region')}
      className="flex animate-slide-up flex-col gap-2 border-t border-line bg-raised px-3 py-2 shadow-float"
    >
      <div className="flex min-h-8 items-center gap-2 text-sm">
        <output className="tabular shrink-0 font-medium">{t('count', { count: marked.count })}</output>
        {!marked.isAll && marked.isAny && total > marked.count && (
          <Button variant="ghost" size="sm" className="min-w-0 px-1.5" onClick={marked.markAll}>
            <span className="tabular truncate text-accent">{t('all', { count: total })}</span>
          </Button>
        )}
        <span className="flex-1" />
        {bulk.progress === null && <MoreMenu bulk={bulk} isAny={marked.isAny} />}
        <IconButton label={t('clear')} shortcut="Escape" onClick={marked.clear}>
          <X aria-hidden />
        </IconButton>
      </div>
      {bulk.progress === null ? <Actions bulk={bulk} isAny={marked.isAny} /> : <BulkProgress {...bulk.progress} />}
    </section>
  )
}

type PartProps = { bulk: Bulk; isAny: boolean }

function Actions({ bulk, isAny }: PartProps) {
  const t = useTranslations('inbox.marked')
  const inbox = useTranslations('inbox')
  const status = useTranslations('common.status')
  return (
    <div className="flex items-center gap-1.5">
      <Button variant="primary" disabled={!isAny} onClick={() => bulk.set('handled')}>
        {status('handled')}
        <Kbd inverted>e</Kbd>
      </Button>
      <Button disabled={!isAny} onClick={() => bulk.set('in-progress')}>
        {status('in-progress')}
        <Kbd>p</Kbd>
      </Button>
      <Button disabled={!isAny} onClick={bulk.assign}>
        {t('assign')}
        <Kbd>a</Kbd>
      </Button>
      <Button disabled={!isAny} onClick={bulk.exportLeads}>
        <Download aria-hidden className="size-3.5" />
        {inbox('export')}
      </Button>
    </div>
  )
}

function MoreMenu({ bulk, isAny }: PartProps) {
  const t = useTranslations('inbox.marked')
  const status = useTranslations('common.status')
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
        <IconButton {...props} label={t('more')} disabled={!isAny}>
          <Ellipsis aria-hidden />
        </IconButton>
      )}
    >
      {(close) => (
        <>
          <MenuItem onSelect={closeAnd(close, bulk.copyEmails)}>{t('copyEmails')}</MenuItem>
          <MenuSeparator />
          {(['new', 'dismissed'] as const).map((value) => (
            <MenuItem key={value} icon={<StatusDot status={value} />} onSelect={closeAnd(close, () => bulk.set(value))}>
              {status(value)}
            </MenuItem>
          ))}
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
  const { description, filters, marked, decide, setDialog } = inbox
  const { list, kind } = description
  const [progress, setProgress] = useState<Progress | null>(null)
  const triage = useTriage()
  const matching = { list, ...filterOf(filters.query) }

  const all = async (decision: TriageDecision) => {
    setProgress({ done: 0, total: marked.count })
    try {
      const isDone = await triage.changeMatching(matching, decision, setProgress)
      if (isDone && decision.status !== undefined) marked.clear()
    } finally {
      setProgress(null)
    }
  }
  const target: LeadTarget = marked.isAll ? { matching } : { leads: [...marked.ids].map((id) => ({ kind, id })) }
  const set = (status: LeadStatus) => (marked.isAll ? void all({ status }) : decide.aboutTargets({ status }))
  const open = (is: 'export' | 'copy-emails') => () => setDialog({ is, target, count: marked.count })
  const assign = () =>
    marked.isAll
      ? setDialog({ is: 'assign-all', count: marked.count, onAssign: (assignee) => void all({ assignee }) })
      : setDialog({ is: 'assign', leads: decide.targets() })
  const bulk = { progress, set, assign, exportLeads: open('export'), copyEmails: open('copy-emails') }

  const isFree = marked.isAny && progress === null
  const onAll = (status: LeadStatus) => (isFree && marked.isAll ? () => void all({ status }) : undefined)
  useCommands({
    handled: onAll('handled'),
    inProgress: onAll('in-progress'),
    renew: onAll('new'),
    dismissed: onAll('dismissed'),
    assign: isFree && marked.isAll ? assign : undefined,
    export: isFree ? bulk.exportLeads : undefined,
    copyEmails: isFree ? bulk.copyEmails : undefined,
  })
  return bulk
}

type Bulk = ReturnType<typeof useBulk>
