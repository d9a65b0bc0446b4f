import { useQuery } from '@tanstack/react-query'
import { History, Undo2 } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useDayAndTime } from '@/components/browser/clock'
import { Button } from '@/components/ui/button'
import { ConfirmDialog, Dialog, DialogWaiting } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { apiQuery } from '@/lib/api/call'
import type { LeadList } from '@/lib/contract/lead'
import type { RecentChange } from '@/lib/contract/triage'
import type { TriageDecision } from '@/lib/inbox/undo-steps'
import { StatusDot } from './status-dot'
import { createNotices, decisionOf } from './triage-notices'
import { useTriage } from './use-triage'

/** What is to be taken back must be what is true now. */
const recentQuery = { ...apiQuery('GET /api/triage/undo'), staleTime: 0, gcTime: 0 }

export function RecentChanges({ onClose }: { onClose: () => void }) {
  const t = useTranslations('changes')
  const { data, isError, refetch } = useQuery(recentQuery)
  return (
    <Dialog onClose={onClose} title={t('title')} shape="wide">
      {data === undefined ? (
        <DialogWaiting isError={isError} onRetry={() => void refetch()}>
          {t('failed')}
        </DialogWaiting>
      ) : data.changes.length === 0 ? (
        <EmptyState icon={<History />} title={t('empty')} hint={t('emptyHint')} />
      ) : (
        <>
          <p className="px-5 pb-3 text-sm text-mute">{t('hint')}</p>
          <ol className="scroll-thin max-h-[60dvh] overflow-y-auto border-t border-line-soft px-5 pb-3">
            {data.changes.map((change, index) => (
              <Change
                key={`${change.at} ${change.attempt?.outcome}`}
                change={change}
                isFirst={index === 0}
                onUndone={() => void refetch()}
              />
            ))}
          </ol>
        </>
      )}
    </Dialog>
  )
}

function Change({ change, isFirst, onUndone }: { change: RecentChange; isFirst: boolean; onUndone: () => void }) {
  const t = useTranslations('changes')
  const { undoRecent } = useTriage()
  const [isBusy, setBusy] = useState(false)
  const what = useSentence(change)
  const moment = useDayAndTime()
  const { at, count, undoable, status, leads } = change
  const undo = async () => {
    setBusy(true)
    await undoRecent(change)
    setBusy(false)
    onUndone()
  }
  const names = leads.flatMap(({ name }) => name ?? [])
  return (
    <li className="flex items-center gap-3 border-b border-line-soft py-2.5 last:border-b-0">
      {status === undefined ? <span className="size-3.5 shrink-0" /> : <StatusDot status={status} />}
      <div className="min-w-0 flex-1 text-sm wrap-anywhere">
        <p>{what}</p>
        <p className="text-xs text-mute">
          <time dateTime={at} className="tabular">
            {moment(at)}
          </time>
          {count > 1 && names.length > 0 && (
            <span>
              {` · ${names.join(', ')}`}
              {count > names.length && <span> {t('more', { count: count - names.length })}</span>}
            </span>
          )}
          {undoable < count && <span className="block">{t('rest', { count: undoable })}</span>}
        </p>
      </div>
      <Button
        ref={isFirst ? (button) => button?.focus() : undefined}
        icon={Undo2}
        text={t('undo')}
        size="sm"
        busy={isBusy}
        aria-label={t('undoLabel', { what })}
        onClick={() => void undo()}
      />
    </li>
  )
}

function useSentence(change: RecentChange): string {
  const t = useTranslations()
  const notices = createNotices(t, useLocale())
  const { attempt, count, leads } = change
  const decision = decisionOf(change)
  const only = count === 1 ? leads[0] : undefined
  const tried =
    attempt && t(`changes.attempt.${attempt.outcome}`, { ...attempt, name: only?.name ?? t('changes.sender') })
  const isDecided = Object.keys(decision).length > 0
  const decided = isDecided ? notices.done(decision, count, only) : attempt ? null : t('changes.shared', { count })
  return [tried, decided].filter((sentence) => sentence != null).join(' ')
}

type AskHeavyProps = {
  list: LeadList | 'queue'
  count: number
  decision: TriageDecision
  onYes: () => void
  onClose: () => void
}

/** Enter does it, Escape does not. */
export function AskHeavy({ list, count, decision, onYes, onClose }: AskHeavyProps) {
  const t = useTranslations('changes.ask')
  const { status = 'in-progress', assignee } = decision
  const form = status === 'in-progress' && assignee ? 'take' : status
  const texts = { title: t(`${list}.${form}`, { count }), text: t('text', { count }), yes: t(`yes.${form}`, { count }) }
  return <ConfirmDialog {...texts} isPrimary onYes={() => (onClose(), onYes())} onNo={onClose} />
}

/** Before a lead is closed over replies that were not sent. Enter and Escape keep them. */
export function AskDrafts({ count, decision: { status }, onYes, onClose }: Omit<AskHeavyProps, 'list'>) {
  const t = useTranslations('changes.ask.draft')
  const yes = t(status === 'dismissed' ? 'yes.dismissed' : 'yes.handled')
  const texts = { title: t('title', { count }), text: t('text'), yes, no: t('no') }
  return <ConfirmDialog {...texts} onYes={() => (onClose(), onYes())} onNo={onClose} />
}
