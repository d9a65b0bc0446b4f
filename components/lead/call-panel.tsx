import { Phone } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useDayAndTime, useToday } from '@/components/app/clock'
import { useCommands } from '@/components/app/commands'
import { useCurrentUser } from '@/components/app/current-user'
import { lazyDialog } from '@/components/app/lazy-part'
import { useTriage } from '@/components/app/use-triage'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { leaveByEscape } from '@/components/ui/focus-return'
import { displayPhone, toE164 } from '@/lib/contacts/phone'
import type { NewAttempt } from '@/lib/contract/attempts'
import { followUpDays } from '@/lib/inbox/follow-up-days'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { isPutAside, keptOpen } from '@/lib/inbox/own-changes'
import { fullDay } from '@/lib/time/format-date'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'
import type { ChannelProps } from './use-reply'

const PutAsideDialog = lazyDialog(
  async () => (await import('@/components/app/put-aside-dialog')).PutAsideDialog,
  'putAside',
)

export function CallPanel(props: ChannelProps & { phone: string }) {
  const { item, phone, otherChannel } = props
  const t = useTranslations('reply.calling')
  const moment = useDayAndTime()
  const number = toE164(phone)
  const { count, last } = item.attempts
  return (
    <section
      aria-label={t('title')}
      className="mt-5 overflow-hidden rounded-xl border border-line bg-panel shadow-card"
    >
      <div className="flex flex-col items-start gap-3 p-4">
        {isQuestion(item) && item.sender.mode === 'phone' && <p className="text-sm text-mute">{t('wants')}</p>}
        <p className="tabular text-[1.75rem] leading-tight font-semibold tracking-tight wrap-anywhere">
          <bdi>{displayPhone(phone)}</bdi>
        </p>
        {number === null ? (
          <p className="text-xs text-faint">{t('copyHint')}</p>
        ) : (
          <a
            href={`tel:${number}`}
            className={buttonClass({ variant: 'primary', size: 'lg', className: 'not-desk:w-full' })}
          >
            <Phone className="size-4" />
            {t('title')}
          </a>
        )}
        {/* How often the person was tried, so that nobody calls for the third time in an hour. */}
        {last !== null && <p className="text-sm text-mute">{t('tried', { count, when: moment(last.at) })}</p>}
        {otherChannel}
      </div>
      <Outcomes {...props} />
    </section>
  )
}

/** How the call went: each outcome is a button and a digit. */
function Outcomes({ lead, item, decide, focusRequests, onClose }: ChannelProps) {
  const t = useTranslations('reply')
  const locale = useLocale()
  const id = useId()
  const [me, triage] = [useCurrentUser(), useTriage()]
  const today = stockholmDay(useToday())
  const [isChoosing, setChoosing] = useState(false)
  const name = nameOf(item) ?? t('person')
  const note = (attempt: Omit<NewAttempt, 'kind' | 'id' | 'channel'>, said: string) =>
    decide.onNoted({
      item,
      attempt: { channel: 'phone', ...attempt },
      by: me && { id: me.id, name: me.name },
      said,
      undone: t('said.callUndone', { name }),
    })
  const talked = (isFinished: boolean) => {
    const status = isFinished ? ({ status: 'handled' } as const) : keptOpen(item)
    note({ outcome: 'talked', ...status }, t('said.talked', { name }))
    onClose()
  }
  const noAnswer = () => note({ outcome: 'no-answer' }, t('said.noAnswer', { name }))
  const callAgain = (day: string) =>
    note(
      { outcome: 'call-again', snoozeUntil: day },
      t('said.callAgain', { name, day: fullDay(epochDay(day), locale) }),
    )

  const { last } = item.attempts
  const wasJustTried =
    last?.outcome === 'no-answer' && last.by?.id === me?.id && stockholmDay(Date.parse(last.at)) === today
  const [next] = wasJustTried && !isPutAside(item.snoozeUntil, today) ? followUpDays(today) : []
  /** The call is noted already, so nothing more than the reminder is. */
  const callNextDay =
    next &&
    (() => {
      const triaged = { ...lead, triage: { ...item.triage, snoozeUntil: item.snoozeUntil }, item, name: nameOf(item) }
      void triage.change([triaged], { snoozeUntil: next.day }, { onUndone: decide.onGoBack })
      decide.onLeave(item)
    })
  useCommands({ talked: () => talked(true), noAnswer, callAgain: () => setChoosing(true), callNextDay })
  const group = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (focusRequests > 0) group.current?.focus()
  }, [focusRequests])
  return (
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      aria-labelledby={id}
      // Here letters are no commands, until Escape.
      data-typed="call"
      onKeyDown={(event) => event.target === event.currentTarget && leaveByEscape(event)}
      className="border-t border-line-soft bg-bg px-4 py-3 -outline-offset-2 print:hidden"
    >
      <h3 id={id} className="mb-2 text-sm font-medium text-mute">
        {t('calling.outcome')}
      </h3>
      <div className="flex flex-wrap gap-2 not-desk:*:flex-auto">
        <Button text={t('calling.talkedDone')} shortcut="1" onClick={() => talked(true)} />
        <Button text={t('calling.talkedOpen')} onClick={() => talked(false)} />
        <Button text={t('calling.noAnswer')} shortcut="2" onClick={noAnswer} />
        <Button text={t('calling.again')} shortcut="3" aria-haspopup="dialog" onClick={() => setChoosing(true)} />
        {next && (
          <Button
            text={t(next.is === 'tomorrow' ? 'calling.againTomorrow' : 'calling.againMonday')}
            shortcut="4"
            onClick={callNextDay}
          />
        )}
      </div>
      {isChoosing && <PutAsideDialog count={1} item={item} onChoose={callAgain} onClose={() => setChoosing(false)} />}
    </div>
  )
}
