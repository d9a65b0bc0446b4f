import { Phone } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useId, useRef, useState } from 'react'
import { useDayTimeFormatter, useStartOfToday } from '@/components/app/clock'
import { useCommands } from '@/components/app/commands'
import { useCurrentUser } from '@/components/app/current-user'
import { lazyDialog } from '@/components/app/lazy-part'
import { useRequestedFocus } from '@/components/contact/use-requested-focus'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { blurOnEscape } from '@/components/ui/focus-return'
import { toE164 } from '@/lib/contacts/phone'
import { formatPhone } from '@/lib/contacts/plain-phone'
import type { NewAttempt } from '@/lib/contract/attempts'
import { listFollowUpDays } from '@/lib/inbox/follow-up-days'
import { findDisplayName, isQuestion } from '@/lib/inbox/lead-text'
import { isStillSnoozed, toAnswerDecision } from '@/lib/inbox/own-changes'
import { formatEpochDay } from '@/lib/time/format-date'
import { parseIsoDay, toStockholmDay } from '@/lib/time/stockholm'
import type { ChannelProps } from './lead-props'

const SnoozeDialog = lazyDialog(async () => (await import('@/components/app/snooze-dialog')).SnoozeDialog, 'putAside')

export function CallPanel(props: ChannelProps & { phone: string }) {
  const { item, phone, otherChannelButton } = props
  const t = useTranslations('reply.calling')
  const formatDayTime = useDayTimeFormatter()
  const e164Number = toE164(phone)
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
        {e164Number === null ? (
          <p className="text-xs text-faint">{t('copyHint')}</p>
        ) : (
          <a
            href={`tel:${e164Number}`}
            className={buttonClass({ variant: 'primary', size: 'lg', className: 'not-desk:w-full' })}
          >
            <Phone className="size-4" />
            {t('title')}
          </a>
        )}
        {/* The count keeps colleagues from calling for the third time in an hour. */}
        {last !== null && <p className="text-sm text-mute">{t('tried', { count, when: formatDayTime(last.at) })}</p>}
        {otherChannelButton}
      </div>
      <CallOutcomes {...props} />
    </section>
  )
}

/** Asks how the call went. Digits are shortcuts for frequent outcomes. */
function CallOutcomes({ item, actions, focusRequestCount, onClose }: ChannelProps) {
  const t = useTranslations('reply')
  const locale = useLocale()
  const headingId = useId()
  const ownId = useCurrentUser()?.id
  const today = toStockholmDay(useStartOfToday())
  const [isChoosingDay, setChoosingDay] = useState(false)
  const personName = findDisplayName(item) ?? t('person')
  const recordOutcome = (attempt: Omit<NewAttempt, 'kind' | 'id' | 'channel'>, notice: string) =>
    actions.noteAttempt({ item, attempt: { channel: 'phone', ...attempt }, notice })
  const noteTalked = (isFinished: boolean) => {
    recordOutcome({ outcome: 'talked', ...toAnswerDecision(item, isFinished) }, t('said.talked', { name: personName }))
    onClose()
  }
  const noteNoAnswer = () => recordOutcome({ outcome: 'no-answer' }, t('said.noAnswer', { name: personName }))
  const noteCallAgain = (day: string) => {
    const dayText = formatEpochDay(parseIsoDay(day), 'full', locale)
    recordOutcome({ outcome: 'call-again', snoozeUntil: day }, t('said.callAgain', { name: personName, day: dayText }))
  }
  const { last } = item.attempts
  const hasTriedToday =
    last?.outcome === 'no-answer' && last.by?.id === ownId && toStockholmDay(Date.parse(last.at)) === today
  const [nextDay] = hasTriedToday && !isStillSnoozed(item.snoozeUntil, today) ? listFollowUpDays(today) : []
  // Only a reminder is set, because the call without an answer is noted already.
  const callNextDay = nextDay && (() => actions.decideLead(item, { snoozeUntil: nextDay.day }))
  const chooseDay = () => setChoosingDay(true)
  useCommands({ talked: () => noteTalked(true), noAnswer: noteNoAnswer, callAgain: chooseDay, callNextDay })
  const groupRef = useRef<HTMLDivElement>(null)
  useRequestedFocus(focusRequestCount, () => groupRef.current?.focus())
  return (
    <div
      ref={groupRef}
      role="group"
      tabIndex={-1}
      aria-labelledby={headingId}
      // While the group has the focus, only the digits of the outcomes are commands.
      data-typed="call"
      // An Escape inside the dialog closes only the dialog.
      onKeyDown={(event) => event.target === event.currentTarget && blurOnEscape(event)}
      className="border-t border-line-soft bg-bg px-4 py-3 -outline-offset-2 print:hidden"
    >
      <h3 id={headingId} className="mb-2 text-sm font-medium text-mute">
        {t('calling.outcome')}
      </h3>
      <div className="flex flex-wrap gap-2 not-desk:*:flex-auto">
        <Button text={t('calling.talkedDone')} shortcut="1" onClick={() => noteTalked(true)} />
        <Button text={t('calling.talkedOpen')} onClick={() => noteTalked(false)} />
        <Button text={t('calling.noAnswer')} shortcut="2" onClick={noteNoAnswer} />
        <Button text={t('calling.again')} shortcut="3" aria-haspopup="dialog" onClick={chooseDay} />
        {nextDay && (
          <Button
            text={t(nextDay.kind === 'tomorrow' ? 'calling.againTomorrow' : 'calling.againMonday')}
            shortcut="4"
            onClick={callNextDay}
          />
        )}
      </div>
      {isChoosingDay && (
        <SnoozeDialog count={1} item={item} onChoose={noteCallAgain} onClose={() => setChoosingDay(false)} />
      )}
    </div>
  )
}
