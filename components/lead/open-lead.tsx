import { useQuery } from '@tanstack/react-query'
import { AlarmClock, CloudOff, Ellipsis, FileX2, ListX } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { type ComponentProps, useState } from 'react'
import { useToday } from '@/components/browser/clock'
import { useIsLive } from '@/components/browser/live'
import { useReplyUnavailable, useReplyRequest } from '@/components/contact/reply-request'
import { HiddenLead } from '@/components/contact/protected-lead'
import { lazyContent } from '@/components/desk/lazy-part'
import { usePending } from '@/components/triage/use-pending'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { IconButton } from '@/components/ui/icon-button'
import { Popover } from '@/components/ui/popover'
import { type LeadItem, oneLead } from '@/lib/api/leads'
import { refreshOptions } from '@/lib/api/polling'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import type { ListDescription } from '@/lib/contract/lists'
import { isPutAside } from '@/lib/inbox/follow-up-days'
import type { Subject } from '@/lib/inbox/list-state'
import { weekdayAndDate } from '@/lib/time/format-date'
import { stockholmDay } from '@/lib/time/stockholm'
import { NoteComposer } from '@/components/notes/history'
import { LeadBody, ReplyDesk } from './lead-body'
import { LeadSkeleton } from './lead-skeleton'
import { type LeadDecisions, type LeadMoves, LeadToolbar, ThumbBar } from './lead-toolbar'

export type OpenLeadProps = LeadMoves &
  LeadDecisions & {
    description: ListDescription
    id: string
    listed: LeadItem | undefined
    apart: Subject['apart']
  }

export function OpenLead({ id, description, listed, apart, ...rest }: OpenLeadProps) {
  const { onPrevious, onNext, onClose, ...decide } = rest
  const state = useLead(description, id, listed)
  const item = state.is === 'there' ? state.item : undefined
  const { kind } = description
  return (
    <>
      <LeadToolbar
        lead={{ kind, id }}
        item={item}
        decide={decide}
        onClose={onClose}
        more={
          item && (
            <More key={id} lead={{ kind, id }} item={item} decide={decide} moves={{ onPrevious, onNext, onClose }} />
          )
        }
      />
      {apart !== null && state.is === 'there' && <ApartLine apart={apart} />}
      {item !== undefined && <PutAsideLine item={item} onBack={() => decide.onBack(item)} />}
      {/* A new one for each lead: read from its top, with nothing unfolded or half written for another. */}
      <div
        key={`lead ${kind} ${id}`}
        className="@container scroll-thin min-h-0 flex-1 overflow-y-auto overscroll-contain low:flex-none low:overflow-visible"
      >
        <Content state={state} kind={kind} id={id} decide={decide} onClose={onClose} />
      </div>
      {item !== undefined && <ThumbBar key={`bar ${kind} ${id}`} lead={{ kind, id }} item={item} decide={decide} />}
    </>
  )
}

const LeadMore = lazyContent(async () => (await import('./lead-more')).LeadMore)

/** For answers and notes, which must be writable without a network too. */
export const loadWriting = () => Promise.all([ReplyDesk.load(), NoteComposer.load()])

function More(props: Omit<ComponentProps<typeof LeadMore>, 'close'>) {
  const t = useTranslations('lead')
  return (
    <Popover
      label={t('more')}
      align="end"
      onNear={LeadMore.load}
      trigger={(trigger) => <IconButton {...trigger} icon={Ellipsis} label={t('more')} className="ml-auto" />}
    >
      {(close) => <LeadMore {...props} close={close} />}
    </Popover>
  )
}

function ApartLine({ apart }: { apart: 'left' | 'elsewhere' }) {
  const t = useTranslations('lead.apart')
  return (
    <output className="edge flex shrink-0 items-center gap-2 border-b border-line-soft bg-side py-1.5 text-xs text-mute">
      <ListX className="size-3.5 shrink-0" />
      {t(apart)}
    </output>
  )
}

function PutAsideLine({ item: { snoozeUntil }, onBack }: { item: LeadItem; onBack: () => void }) {
  const t = useTranslations('lead')
  const locale = useLocale()
  const today = stockholmDay(useToday())
  if (snoozeUntil === null) return null
  const isAway = isPutAside(snoozeUntil, today)
  return (
    <output className="edge flex shrink-0 flex-wrap items-center gap-x-2 border-b border-line-soft bg-accent-soft py-1 text-sm text-ink">
      <AlarmClock className="size-4 shrink-0 text-accent" />
      <span className="tabular">
        {t(isAway ? 'comesBack' : 'cameBack', { day: weekdayAndDate(snoozeUntil, today, locale) })}
      </span>
      {isAway && <Button text={t('takeBack')} variant="ghost" size="sm" onClick={onBack} />}
    </output>
  )
}

type ContentProps = { state: LeadState; kind: LeadKind; id: string; decide: LeadDecisions; onClose: () => void }

function Content({ state, kind, id, decide, onClose }: ContentProps) {
  const t = useTranslations('lead')
  const common = useTranslations('common')
  const lead = { kind, id }
  if (state.is === 'loading') return <LeadSkeleton />
  if (state.is === 'gone') {
    return (
      <EmptyState
        icon={<FileX2 />}
        title={t('gone')}
        hint={
          <>
            <NoReply lead={lead} />
            {t('goneHint')}
          </>
        }
        action={<Button text={t('back')} onClick={onClose} />}
      />
    )
  }
  if (state.is === 'failed') {
    const again = <Button text={common('tryAgain')} onClick={state.retry} />
    return <EmptyState icon={<CloudOff />} title={t('failed')} hint={<NoReply lead={lead} isSaid />} action={again} />
  }
  const { item } = state
  if (!item.protected?.isHidden) return <LeadBody kind={kind} item={item} decide={decide} />
  return (
    <>
      <NoReply lead={lead} />
      <HiddenLead item={item} mark={item.protected} />
    </>
  )
}

/** Says that there is nothing to answer here, unless what is shown in place of the lead says it. */
function NoReply({ lead, isSaid = false }: { lead: LeadRef; isSaid?: boolean }) {
  const sayWhy = useReplyUnavailable()
  useReplyRequest(lead, () => !isSaid && sayWhy())
  return null
}

type LeadState =
  | { is: 'loading' }
  | { is: 'there'; item: LeadItem }
  | { is: 'gone' }
  | { is: 'failed'; retry: () => void }

function useLead(description: ListDescription, id: string, listed: LeadItem | undefined): LeadState {
  const one = useQuery({
    ...oneLead(description.list, id),
    ...refreshOptions(useIsLive()),
    enabled: listed === undefined,
  })
  const { pending } = usePending()
  const [seen, setSeen] = useState(listed)
  if (listed !== undefined && listed !== seen) setSeen(listed)
  if (listed !== undefined) return { is: 'there', item: listed }
  const fetched = one.data?.items[0] && pending.lead(description.kind, one.data.items[0], one.data)
  if (fetched !== undefined) return { is: 'there', item: fetched }
  if (one.data !== undefined) return { is: 'gone' }
  // Scrolled out of the loaded rows a moment ago: what was on screen stays until the answer is there.
  if (seen?.id === id) return { is: 'there', item: seen }
  return one.isError ? { is: 'failed', retry: () => void one.refetch() } : { is: 'loading' }
}
