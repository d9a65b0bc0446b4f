import { Mail, Phone } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useDayAndTime, useToday } from '@/components/app/clock'
import { useCommands } from '@/components/app/commands'
import { useCurrentUser } from '@/components/app/current-user'
import { lazyDialog } from '@/components/app/lazy-part'
import { useTriage } from '@/components/app/use-triage'
import { useWritingRequest } from '@/components/contact/reply-request'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { leaveByEscape } from '@/components/ui/focus-return'
import { toast } from '@/components/ui/toast'
import { plainEmail } from '@/lib/contacts/contact-key'
import { isLikePersonalNumber, toE164 } from '@/lib/contacts/phone'
import { formatPhone } from '@/lib/contacts/plain-phone'
import type { NewAttempt } from '@/lib/contract/attempts'
import { isAnswer, isClosed } from '@/lib/contract/lists'
import { followUpDays } from '@/lib/inbox/follow-up-days'
import { emailAndPhoneOf, isQuestion, displayNameOf } from '@/lib/inbox/lead-text'
import { toAnswerDecision, isStillSnoozed } from '@/lib/inbox/own-changes'
import { fullDay } from '@/lib/time/format-date'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'
import type { LeadProps } from './lead-props'
import { MailComposer } from './mail-composer'
import { type ChannelProps, useReplyDrafts } from './use-reply'

const PutAsideDialog = lazyDialog(
  async () => (await import('@/components/app/put-aside-dialog')).PutAsideDialog,
  'putAside',
)

type Channel = 'mail' | 'call'

/** Under a question that waits, the answer is open already, by the channel the person asked for; else it opens on request. */
export function ReplyDesk(props: LeadProps) {
  const { lead, item } = props
  const t = useTranslations('reply')
  const drafts = useReplyDrafts()
  const contact = emailAndPhoneOf(item)
  const email = (contact.email && plainEmail(contact.email)) || null
  // What looks like a personal number is no phone.
  const phone = contact.phone !== null && isLikePersonalNumber(contact.phone) ? null : contact.phone
  const wantsCall = isQuestion(item) && item.sender.mode === 'phone' && phone !== null
  const preferred: Channel = email === null || wantsCall ? 'call' : 'mail'
  const waits = isQuestion(item) && !isClosed(item.triage.status) && !isAnswer(item.attempts.last?.outcome)
  const [shown, setShown] = useState<Channel | null>(() => {
    if (drafts.read(lead) !== null && email !== null) return 'mail'
    return waits ? preferred : null
  })
  const [waited, setWaited] = useState(waits)
  if (waits !== waited) {
    setWaited(waits)
    // An answer that is undone opens the desk again. A colleague's decision closes nothing.
    if (waits && shown === null) setShown(preferred)
  }
  const [focusRequests, setFocusRequests] = useState(0)
  const show = (channel: Channel) => {
    setShown(channel)
    setFocusRequests((before) => before + 1)
  }
  useWritingRequest(lead, (writing) => {
    if (writing === 'note') return undefined
    if (email === null && phone === null) toast(t('impossible'), { topic: 'reply' })
    else show(email === null ? 'call' : writing === 'reply' ? (shown ?? preferred) : writing)
    return email !== null || phone !== null
  })
  if (shown === null) {
    const again = item.attempts.last === null ? 'write' : 'again'
    const look = (channel: Channel) =>
      channel === preferred ? ({ variant: 'primary', shortcut: 'r' } as const) : { variant: 'secondary' as const }
    return (
      <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
        {email !== null && <Button icon={Mail} text={t(again)} {...look('mail')} onClick={() => show('mail')} />}
        {phone !== null && <Button icon={Phone} text={t('call')} {...look('call')} onClick={() => setShown('call')} />}
      </div>
    )
  }
  const [other, icon, text] =
    shown === 'mail' ? ([phone, Phone, 'callInstead'] as const) : ([email, Mail, 'mailInstead'] as const)
  const otherChannel = other !== null && (
    <Button
      icon={icon}
      text={t(text)}
      size="sm"
      variant="ghost"
      onClick={() => setShown(shown === 'mail' ? 'call' : 'mail')}
    />
  )
  const shared = { ...props, focusRequests, otherChannel, onClose: () => setShown(null) }
  if (shown === 'call' && phone !== null) return <CallPanel {...shared} phone={phone} />
  return email !== null && <MailComposer {...shared} email={email} />
}

function CallPanel(props: ChannelProps & { phone: string }) {
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
          <bdi>{formatPhone(phone)}</bdi>
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
        {/* The count keeps colleagues from calling for the third time in an hour. */}
        {last !== null && <p className="text-sm text-mute">{t('tried', { count, when: moment(last.at) })}</p>}
        {otherChannel}
      </div>
      <Outcomes {...props} />
    </section>
  )
}

/** Asks how the call went: each outcome is a button and a digit. */
function Outcomes({ lead, item, handlers, focusRequests, onClose }: ChannelProps) {
  const t = useTranslations('reply')
  const locale = useLocale()
  const id = useId()
  const [me, triage] = [useCurrentUser(), useTriage()]
  const today = stockholmDay(useToday())
  const [isChoosing, setChoosing] = useState(false)
  const name = displayNameOf(item) ?? t('person')
  const note = (attempt: Omit<NewAttempt, 'kind' | 'id' | 'channel'>, said: string) =>
    handlers.onNoted({
      item,
      attempt: { channel: 'phone', ...attempt },
      by: me && { id: me.id, name: me.name },
      said,
      undone: t('said.callUndone', { name }),
    })
  const talked = (isFinished: boolean) => {
    note({ outcome: 'talked', ...toAnswerDecision(item, isFinished) }, t('said.talked', { name }))
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
  const [next] = wasJustTried && !isStillSnoozed(item.snoozeUntil, today) ? followUpDays(today) : []
  /** Sets the reminder only, because the call is noted already. */
  const callNextDay =
    next &&
    (() => {
      void triage.change([{ ...lead, item }], { snoozeUntil: next.day }, { onUndone: handlers.onGoBack })
      handlers.onLeave(item)
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
      // While the focus is in here, letters are no commands.
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
            text={t(next.kind === 'tomorrow' ? 'calling.againTomorrow' : 'calling.againMonday')}
            shortcut="4"
            onClick={callNextDay}
          />
        )}
      </div>
      {isChoosing && <PutAsideDialog count={1} item={item} onChoose={callAgain} onClose={() => setChoosing(false)} />}
    </div>
  )
}
