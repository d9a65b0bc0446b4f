import { Phone } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useDayAndTime } from '@/components/browser/clock'
import { useCommands } from '@/components/desk/commands'
import { useCurrentUser } from '@/components/desk/current-user'
import { lazyDialog } from '@/components/desk/lazy-part'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { leaveByEscape } from '@/components/ui/focus-return'
import type { LeadItem } from '@/lib/api/leads'
import { displayPhone, toE164 } from '@/lib/contacts/phone'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { keptOpen } from '@/lib/inbox/pending-changes'
import { fullDay } from '@/lib/time/format-date'
import { epochDay } from '@/lib/time/stockholm'
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
      <Outcomes item={item} note={note} focusRequests={focusRequests} />
    </section>
  )
}

const PutAsideDialog = lazyDialog(
  async () => (await import('@/components/triage/put-aside-dialog')).PutAsideDialog,
  'putAside',
)

type OutcomesProps = Pick<CallPanelProps, 'item' | 'focusRequests'> & { note: ReturnType<typeof useNote> }

function Outcomes({ item, note, focusRequests }: OutcomesProps) {
  const t = useTranslations('reply.calling')
  const id = useId()
  const [isChoosing, setChoosing] = useState(false)
  useCommands({ talked: () => note.talked(true), noAnswer: note.noAnswer, callAgain: () => setChoosing(true) })
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
      className="border-t border-line-soft bg-bg px-4 py-3 -outline-offset-2"
    >
      <h3 id={id} className="mb-2 text-sm font-medium text-mute">
        {t('outcome')}
      </h3>
      <div className="flex flex-wrap gap-2 not-desk:*:flex-auto">
        <Button text={t('talkedDone')} shortcut="1" onClick={() => note.talked(true)} />
        <Button text={t('talkedOpen')} onClick={() => note.talked(false)} />
        <Button text={t('noAnswer')} shortcut="2" onClick={note.noAnswer} />
        <Button text={t('again')} shortcut="3" aria-haspopup="dialog" onClick={() => setChoosing(true)} />
      </div>
      {isChoosing && (
        <PutAsideDialog count={1} item={item} onChoose={note.callAgain} onClose={() => setChoosing(false)} />
      )}
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
