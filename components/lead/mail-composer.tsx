import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useDayAndTime, useThisYear } from '@/components/app/clock'
import { Address } from '@/components/contact/contact-facts'
import { mayBeMinor } from '@/components/contact/person'
import { MinorsLine } from '@/components/app/minors-line'
import { useContact } from '@/components/app/use-triage'
import { Button } from '@/components/ui/button'
import { FailureId } from '@/components/ui/failure-id'
import { leaveByEscape } from '@/components/ui/focus-return'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd, modifierKey } from '@/components/ui/kbd'
import { Spinner } from '@/components/ui/loading'
import { Notice } from '@/components/ui/notice'
import { after } from '@/lib/after'
import type { LeadItem } from '@/lib/api/leads'
import { mailFailure, mayHaveArrived } from '@/lib/contacts/reply-check'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import { MAX_REPLY_LENGTH } from '@/lib/contract/lists'
import type { HandedOver, Meanwhile } from '@/lib/inbox/drafts'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { isPressOfKey } from '@/lib/keyboard/key-press'
import { TemplateChoice } from './template-choice'
import { type ChannelProps, type Reply, useReply } from './use-reply'
import { type OutgoingMail, SecondsLeft, useSend } from './use-send'

export function MailComposer(props: ChannelProps & { email: string }) {
  const { lead, item, email, isOpened, focusRequests, otherChannel, onClose } = props
  const t = useTranslations('reply')
  const id = useId()
  const reply = useReply(lead, item)
  const outgoing = useSend({ ...props, reply })
  const { text, isTouched, change, fillIn } = reply
  const { data: contact } = useContact(item.contactId, { enabled: isOpened })
  const isMinor = mayBeMinor(item, contact?.leads.map((found) => found.lead) ?? [], useThisYear())
  const field = useCaret(reply, focusRequests)
  const onChosen = (template: ReplyTemplate) => {
    // The caret can stand there once the text is in the field.
    const caret = flushSync(() => fillIn(template, field.current?.selectionStart ?? text.body.length))
    field.current?.focus()
    field.current?.setSelectionRange(caret, caret)
  }
  const isFixed = outgoing.isLeaving
  const isAsked = text.handedOver !== undefined
  /** Escape leaves the field and keeps the text; Ctrl or Cmd with Enter sends. */
  const onKeyDown = (event: KeyboardEvent) => {
    const isInDialog = event.target instanceof Element && event.target.closest('dialog') !== null
    if (isInDialog || !isPressOfKey(event.nativeEvent)) return
    leaveByEscape(event)
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!isFixed && !isAsked) outgoing.send(true)
  }
  return (
    <section aria-label={t('region')} onKeyDown={onKeyDown}>
      <MeanwhileNotice item={item} meanwhile={outgoing.meanwhile} />
      <div className="mt-5 overflow-clip rounded-xl border border-line bg-panel shadow-card has-[textarea:focus-visible]:border-accent">
        <div className={`${lineClass} py-0.5 pr-1.5 pl-3.5`}>
          <span className={labelClass}>{t('to')}</span>
          <span className="min-w-0 flex-1 font-medium wrap-anywhere touch:text-[1rem]">
            <Address text={email} />
          </span>
          {otherChannel}
          {(isTouched || !isQuestion(item)) && <IconButton icon={X} label={t('close')} onClick={onClose} />}
        </div>
        <div className={`${lineClass} px-3.5`}>
          <label htmlFor={id} className={labelClass}>
            {t('subject')}
          </label>
          <input
            id={id}
            value={text.subject}
            readOnly={isFixed}
            maxLength={MAX_REPLY_LENGTH.subject}
            onChange={({ target }) => change({ subject: target.value })}
            className="h-9 min-w-0 flex-1 bg-transparent outline-none focus-visible:underline focus-visible:decoration-line focus-visible:underline-offset-4 touch:h-11 touch:text-[1rem]"
          />
        </div>
        {!isAsked && <TemplateChoice item={item} reply={reply} isFixed={isFixed} onChosen={onChosen} />}
        <textarea
          ref={field}
          aria-label={t('body')}
          data-typed="reply"
          // Dimmed while we ask whether it was sent. The height stays, so that the buttons below do not move.
          data-asking={isAsked || undefined}
          value={text.body}
          readOnly={isFixed}
          lang={reply.to.language}
          dir="auto"
          rows={8}
          onChange={({ target }) => change({ body: target.value })}
          className="block field-sizing-content max-h-[60dvh] min-h-44 w-full resize-none bg-transparent px-3.5 py-3 text-base leading-relaxed outline-none touch:text-[1rem] data-asking:max-h-44 not-focus:data-asking:mask-b-from-50% not-focus:data-asking:text-mute"
        />
        {isQuestion(item) && item.question.trim() !== '' && !isAsked && (
          <Quote question={item.question} reply={reply} isFixed={isFixed} />
        )}
        {isMinor && <MinorsLine />}
        <MailFooter outgoing={outgoing} name={nameOf(item) ?? t('person')} handedOver={text.handedOver} />
      </div>
    </section>
  )
}

const lineClass = 'flex min-h-10 items-center gap-2 border-b border-line-soft text-sm'
const labelClass = 'w-16 shrink-0 max-[16rem]:w-auto text-faint'

function MeanwhileNotice({ item, meanwhile }: { item: LeadItem; meanwhile: Meanwhile | null }) {
  const t = useTranslations('reply.meanwhile')
  const moment = useDayAndTime()
  const { last } = item.attempts
  const by = { name: last?.by?.name ?? t('colleague'), when: last === null ? '' : moment(last.at) }
  // A live region must exist before its text, or it is not read aloud.
  return (
    <div role="status" className="contents">
      {meanwhile !== null && <Notice className="mb-2.5">{t(meanwhile, by)}</Notice>}
    </div>
  )
}

function Quote({ question, reply, isFixed }: { question: string; reply: Reply; isFixed: boolean }) {
  const t = useTranslations('reply')
  const { isQuoted } = reply.text
  return (
    <label className="mx-3.5 mb-1.5 flex min-h-8 items-center gap-2.5 text-sm text-mute touch:min-h-11">
      <input
        type="checkbox"
        checked={isQuoted}
        disabled={isFixed}
        onChange={({ target }) => reply.change({ isQuoted: target.checked })}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="shrink-0">{t('quote')}</span>
      {isQuoted && (
        <span aria-hidden className="min-w-0 truncate border-l-2 border-line pl-2.5 text-faint">
          {question}
        </span>
      )}
    </label>
  )
}

/** Takes the caret to where the answer goes when the user asks for it; from then on the field remembers its caret. */
function useCaret({ isTouched, caret, text: { body } }: Reply, focusRequests: number) {
  const field = useRef<HTMLTextAreaElement>(null)
  const seenRequests = useRef(0)
  useLayoutEffect(() => {
    const { current } = field
    if (current === null) return
    const isAsked = focusRequests !== seenRequests.current
    const isFirst = isAsked && seenRequests.current === 0
    seenRequests.current = focusRequests
    if (isAsked) {
      current.focus()
      current.scrollIntoView({ block: 'nearest' })
    }
    // The school's name may come a moment after the field, and must not leave the caret behind the signature.
    const isBegun = !isTouched && current.value === body && document.activeElement === current
    if (isFirst || isBegun) current.setSelectionRange(caret, caret)
  }, [focusRequests, isTouched, caret, body])
  return field
}

type MailFooterProps = { outgoing: OutgoingMail; name: string; handedOver: HandedOver | undefined }

function MailFooter({ outgoing, name, handedOver }: MailFooterProps) {
  const t = useTranslations('reply')
  const { sending, way, refusal, maySend, needsSecondSend } = outgoing
  if (sending?.kind === 'waiting' || sending?.kind === 'sending') {
    const isWaiting = sending.kind === 'waiting'
    return (
      <Row>
        <p
          role={isWaiting ? undefined : 'status'}
          className="flex min-w-0 flex-1 items-center gap-2 text-sm wrap-anywhere"
        >
          {isWaiting ? (
            <SecondsLeft until={sending.until}>{(seconds) => t('sendsIn', { name, seconds })}</SecondsLeft>
          ) : (
            <>
              <Spinner className="size-3.5 shrink-0" />
              {t('sending')}
            </>
          )}
        </p>
        {isWaiting && <Button text={t('takeBack')} onClick={outgoing.takeBack} />}
      </Row>
    )
  }
  if (handedOver !== undefined) return <WasItSent outgoing={outgoing} handedOver={handedOver} />
  const failure = sending && mailFailure(sending.error)
  return (
    <>
      {failure !== undefined && (
        <p role="alert" className="border-t border-line-soft bg-danger-soft px-3.5 py-2 text-sm text-danger-ink">
          {!mayHaveArrived(failure) && <span>{t('failed.title', { name })} </span>}
          <span>
            {t(`failed.why.${failure}`)} {t('failed.kept')}
          </span>
          <FailureId />
        </p>
      )}
      {outgoing.isTooLong && (
        <p className="border-t border-line-soft px-3.5 py-2 text-xs text-pretty text-mute">{t('tooLong')}</p>
      )}
      <Row>
        <Button
          variant="primary"
          className="h-auto! min-h-8 max-w-full flex-wrap py-1 whitespace-normal"
          disabled={!maySend}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => outgoing.send(true)}
          text={
            <>
              {t(`send.${way}`)}
              <Kbd inverted>{`${modifierKey()} ↵`}</Kbd>
            </>
          }
        />
        <Button
          text={t(way === 'intag' ? 'send.open' : 'send.kept')}
          disabled={!maySend}
          onClick={() => outgoing.send(false)}
        />
        {/* Why it cannot be sent. An empty text is no news to the user. */}
        {refusal?.is !== 'nothingWritten' && (
          <p role="status" className={refusal || needsSecondSend ? 'text-xs text-danger' : 'text-xs text-faint'}>
            {refusal
              ? t(`refusal.${refusal.is}`, { over: 0, text: '', name: '', ...refusal })
              : t(needsSecondSend ? 'sendAgain' : 'notStored')}
          </p>
        )}
      </Row>
    </>
  )
}

/** For so long the buttons wait: the second of a double press was meant for the button that opened the mail. */
const DOUBLE_PRESS_MS = 600

/** Of a mail that was handed over, nothing is noted before the user says that it was sent. */
function WasItSent({ outgoing, handedOver }: { outgoing: OutgoingMail; handedOver: HandedOver }) {
  const t = useTranslations('reply.asked')
  const id = useId()
  const group = useRef<HTMLDivElement>(null)
  const [isPressable, setPressable] = useState(false)
  const [wasJustOpened] = useState(() => Date.now() - Date.parse(handedOver.at) < DOUBLE_PRESS_MS)
  useEffect(() => {
    if (wasJustOpened) group.current?.focus()
    return after(DOUBLE_PRESS_MS, () => setPressable(true))
  }, [wasJustOpened])
  const isUnknown = handedOver.how === 'unknown'
  const maySend = outgoing.maySend && isPressable
  return (
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      aria-labelledby={id}
      className="sticky bottom-0 border-t border-line-soft bg-bg px-3 py-2.5 -outline-offset-2"
    >
      <h3 id={id} className="font-semibold">
        {t(isUnknown ? 'unknownTitle' : 'title')}
      </h3>
      {handedOver.how !== 'opened' && <p className="text-sm text-mute">{t(handedOver.how)}</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button
          text={t('yes')}
          disabled={!isPressable}
          variant="accent"
          onClick={() => outgoing.noteSent(handedOver)}
          className="min-w-16"
        />
        <Button
          text={t(isUnknown ? 'sendAgain' : 'again')}
          disabled={!maySend}
          onClick={() => outgoing.send(handedOver.isFinished)}
        />
        <Button text={t('copy')} disabled={!maySend} onClick={() => void outgoing.copy()} />
      </div>
    </div>
  )
}

function Row({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 flex min-h-13 flex-wrap items-center gap-x-2 gap-y-1.5 border-t border-line-soft bg-bg px-3 py-2">
      {children}
    </div>
  )
}
