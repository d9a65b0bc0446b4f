import { Phone } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { useDayAndTime, useToday } from '@/components/browser/clock'
import { useCommands } from '@/components/desk/commands'
import { useCurrentUser } from '@/components/desk/current-user'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { inputClass } from '@/components/ui/field'
import { focusAgain, leaveByEscape } from '@/components/ui/focus-return'
import type { LeadItem } from '@/lib/api/leads'
import { displayPhone, toE164 } from '@/lib/contacts/phone'
import { followUpDays, lastFollowUpDay, weekdayFrom } from '@/lib/inbox/follow-up-days'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { keptOpen } from '@/lib/inbox/pending-changes'
import { fullDay } from '@/lib/time/format-date'
import { addDays, epochDay, stockholmDay } from '@/lib/time/stockholm'
import type { LeadDecisions, ChannelProps } from './lead-toolbar'

type CallPanelProps = ChannelProps & { phone: string }

export function CallPanel({ item, phone, decide, focusRequests, otherChannel, onClose }: CallPanelProps) {
  const t = useTranslations('reply.calling')
  const note = useNote(item, decide, onClose)
  const number = toE164(phone)
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
        <Tried item={item} />
        {otherChannel}
      </div>
      <Outcomes note={note} focusRequests={focusRequests} />
    </section>
  )
}

function Outcomes({ note, focusRequests }: { note: ReturnType<typeof useNote>; focusRequests: number }) {
  const t = useTranslations('reply.calling')
  const id = useId()
  const [isChoosing, setChoosing] = useState(false)
  useCommands({ talked: () => note.talked(true), noAnswer: note.noAnswer, callAgain: () => setChoosing(true) })
  const group = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (focusRequests > 0) group.current?.focus()
  }, [focusRequests])
  const again = useRef<HTMLButtonElement>(null)
  const close = () => {
    setChoosing(false)
    setTimeout(() => focusAgain(again.current))
  }
  return (
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      aria-labelledby={id}
      // Here letters are no commands, until Escape.
      data-typed="call"
      onKeyDown={(event) => event.target === event.currentTarget && leaveByEscape(event)}
      className="border-t border-line-soft bg-bg px-4 py-3 -outline-offset-2"
    >
      <h3 id={id} className="mb-2 text-sm font-medium text-mute">
        {t('outcome')}
      </h3>
      <div className="flex flex-wrap gap-2 not-desk:*:flex-auto">
        <Button text={t('talkedDone')} shortcut="1" onClick={() => note.talked(true)} />
        <Button text={t('talkedOpen')} onClick={() => note.talked(false)} />
        <Button text={t('noAnswer')} shortcut="2" onClick={note.noAnswer} />
        <Button
          ref={again}
          text={t('again')}
          shortcut="3"
          aria-expanded={isChoosing}
          onClick={() => setChoosing(!isChoosing)}
        />
      </div>
      {isChoosing && <DayChoice onDay={note.callAgain} onClose={close} />}
    </div>
  )
}

/** How often the person was tried, so that nobody calls for the third time in an hour. */
function Tried({ item: { attempts } }: { item: LeadItem }) {
  const t = useTranslations('reply.calling')
  const moment = useDayAndTime()
  if (attempts.last === null) return null
  return <p className="text-sm text-mute">{t('tried', { count: attempts.count, when: moment(attempts.last.at) })}</p>
}

function DayChoice({ onDay, onClose }: { onDay: (day: string) => void; onClose: () => void }) {
  const t = useTranslations('reply.calling')
  const id = useId()
  const today = stockholmDay(useToday())
  const tomorrow = addDays(today, 1)
  const days = followUpDays(today).flatMap(({ is, day }) => (is === 'tomorrow' || is === 'monday' ? [{ is, day }] : []))
  const last = lastFollowUpDay(today)
  const [day, setDay] = useState(weekdayFrom(addDays(today, 2)))
  useCommands({ back: onClose })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (day > today && day <= last) onDay(day)
  }
  return (
    <form
      aria-label={t('when')}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      className="mt-3 flex flex-wrap items-end gap-2"
    >
      {days.map(({ is, day: soon }, place) => (
        <Button key={is} text={t(is)} autoFocus={place === 0} onClick={() => onDay(soon)} />
      ))}
      <span className="flex items-center gap-2">
        <label htmlFor={id} className="text-sm whitespace-nowrap text-mute">
          {t('date')}
        </label>
        <input
          id={id}
          type="date"
          required
          min={tomorrow}
          max={last}
          value={day}
          onChange={(event) => setDay(event.target.value)}
          className={`${inputClass} w-auto`}
        />
        <Button text={t('save')} type="submit" />
      </span>
    </form>
  )
}

function useNote(item: LeadItem, decide: LeadDecisions, onDone: () => void) {
  const t = useTranslations('reply')
  const locale = useLocale()
  const me = useCurrentUser()
  const name = nameOf(item) ?? t('person')
  const attempted = { item, by: me && { id: me.id, name: me.name }, undone: t('said.callUndone', { name }) }
  const channel = 'phone' as const
  return {
    talked: (isFinished: boolean) => {
      const status = isFinished ? ({ status: 'handled' } as const) : keptOpen(item)
      decide.onNoted({
        ...attempted,
        attempt: { channel, outcome: 'talked', ...status },
        said: t('said.talked', { name }),
      })
      onDone()
    },
    noAnswer: () =>
      decide.onNoted({ ...attempted, attempt: { channel, outcome: 'no-answer' }, said: t('said.noAnswer', { name }) }),
    callAgain: (day: string) => {
      const said = t('said.callAgain', { name, day: fullDay(epochDay(day), locale) })
      decide.onNoted({ ...attempted, attempt: { channel, outcome: 'call-again', snoozeUntil: day }, said })
    },
  }
}
