import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useDayAndTime, useThisYear } from '@/components/browser/clock'
import { Address } from '@/components/contact/contact-facts'
import { minorOf } from '@/components/contact/person'
import { cancelReply, requestReply } from '@/components/contact/reply-request'
import { useCurrentUser } from '@/components/desk/current-user'
import { useContact } from '@/components/triage/use-pending'
import { Button } from '@/components/ui/button'
import { leaveByEscape } from '@/components/ui/focus-return'
import { IconButton } from '@/components/ui/icon-button'
import { Notice } from '@/components/ui/notice'
import type { LeadItem } from '@/lib/api/leads'
import { refusalOf } from '@/lib/contacts/reply-check'
import { bodyWithQuote } from '@/lib/contacts/reply-text'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import { isAnswer, MAX_REPLY_LENGTH } from '@/lib/contract/lists'
import { isQuestion } from '@/lib/inbox/lead-text'
import { type Meanwhile, meanwhileOf } from '@/lib/inbox/drafts'
import type { WayProps } from './lead-toolbar'
import { AnswerList, useAnswerSearch } from './answer-search'
import { MailFoot } from './mail-foot'
import { TemplateChoice } from './template-choice'
import { useReply } from './use-reply'
import { useHeld, useSend } from './use-send'

type MailComposerProps = WayProps & { email: string }

export function MailComposer(props: MailComposerProps) {
  const t = useTranslations('reply')
  const { data: contact } = useContact(props.item.contactId)
  const minor = minorOf(props.item, contact?.leads.map(({ lead }) => lead) ?? [], useThisYear())
  const [hasConfirmed, setConfirmed] = useState(false)
  // An answer to a question is no advertising; a mail to a minor who only declared an interest may be.
  const mustConfirm = minor !== null && !isQuestion(props.item) && !hasConfirmed
  if (mustConfirm) {
    return (
      <Notice className="mt-4 flex flex-col items-start gap-3">
        <p className="text-pretty">{t('minorRule')}</p>
        <span data-asks-first="" className="flex flex-wrap gap-2">
          <Button autoFocus onClick={() => setConfirmed(true)}>
            {t('proceed')}
          </Button>
          <Button variant="ghost" onClick={() => (cancelReply(), props.onClose())}>
            {t('close')}
          </Button>
        </span>
      </Notice>
    )
  }
  return (
    <Composer
      {...props}
      focusRequests={hasConfirmed ? Math.max(1, props.focusRequests) : props.focusRequests}
      minorNotice={minor === null ? null : t('minorRule')}
    />
  )
}

function Composer({ minorNotice, ...props }: MailComposerProps & { minorNotice: string | null }) {
  const { item, email, focusRequests, instead, onClose } = props
  const t = useTranslations('reply')
  const { reply, out, isFixed, mail, question, refusal, meanwhile, needsSecondSend } = useComposed(props)
  const { text, change, fillIn } = reply
  const field = useRef<HTMLTextAreaElement>(null)
  const putCaret = useCaret(field, { ...reply, focusRequests, isQueued: out.isQueued })
  const onChosen = (template: ReplyTemplate) =>
    putCaret(fillIn(template, field.current?.selectionStart ?? text.body.length))
  const search = useAnswerSearch(reply.all, (answer, { from, to }) => putCaret(fillIn(answer, to, to - from)))
  const asksIfSent = reply.handedOver !== undefined
  const maySend = !isFixed && refusal === null && !asksIfSent
  const onEscape = out.isQueued ? out.takeBack : undefined
  return (
    <section aria-label={t('region')} onKeyDown={(event) => onKey(event, () => maySend && out.send(true), onEscape)}>
      <MeanwhileNotice item={item} what={meanwhile} />
      <div className="mt-5 overflow-hidden rounded-xl border border-line bg-panel shadow-card has-[textarea:focus-visible]:border-accent">
        <To email={email} instead={instead} onClose={question === null || reply.isTouched ? onClose : undefined} />
        <Subject text={text.subject} isFixed={isFixed} onChange={(subject) => change({ subject })} />
        {!asksIfSent && <TemplateChoice reply={reply} isFixed={isFixed} onChosen={onChosen} onTakenOut={putCaret} />}
        <Text
          ref={field}
          text={text.body}
          language={reply.to.language}
          isFixed={isFixed}
          asksIfSent={asksIfSent}
          search={search}
          onChange={(body) => change({ body })}
        />
        {question !== null && !asksIfSent && (
          <Quote
            text={question}
            isQuoted={text.isQuoted}
            isFixed={isFixed}
            onChange={(isQuoted) => change({ isQuoted })}
          />
        )}
        <MinorNotice text={minorNotice} />
        <MailFoot
          out={out}
          isTooLong={out.isTooLong(mail())}
          refusal={refusal}
          needsSecondSend={needsSecondSend}
          item={item}
          handedOver={reply.handedOver}
        />
      </div>
    </section>
  )
}

function MinorNotice({ text }: { text: string | null }) {
  return text !== null && <p className="border-t border-line-soft bg-warn px-3.5 py-2 text-xs text-warn-ink">{text}</p>
}

type TextProps = {
  ref: RefObject<HTMLTextAreaElement | null>
  text: string
  language: string
  isFixed: boolean
  asksIfSent: boolean
  search: ReturnType<typeof useAnswerSearch>
  onChange: (text: string) => void
}

/** Dimmed while we ask whether it was sent. The height stays, so that the buttons below do not move. */
function Text({ ref, text, language, isFixed, asksIfSent, search, onChange }: TextProps) {
  const t = useTranslations('reply')
  return (
    <>
      <textarea
        ref={ref}
        aria-label={t('body')}
        data-letters="reply"
        data-asking={asksIfSent || undefined}
        value={text}
        readOnly={isFixed}
        lang={language}
        dir="auto"
        rows={8}
        {...search.field}
        onChange={({ target }) => {
          onChange(target.value)
          search.look(target.value, target.selectionEnd)
        }}
        className="block field-sizing-content max-h-[60dvh] min-h-44 w-full resize-none bg-transparent px-3.5 py-3 text-base leading-relaxed outline-none touch:text-[1rem] data-asking:max-h-44 not-focus:data-asking:mask-b-from-50% not-focus:data-asking:text-mute"
      />
      {search.list !== null && <AnswerList {...search.list} />}
    </>
  )
}

function useComposed({ lead, item, email, decide, onClose }: MailComposerProps) {
  const reply = useReply(lead, item)
  const { text, to } = reply
  const question = isQuestion(item) ? item.question : null
  const mail = () => ({
    to: email,
    subject: text.subject.trim(),
    body: bodyWithQuote(text.body, text.isQuoted ? question : null, to.language),
  })
  const onLeft = () => {
    reply.done()
    onClose()
  }
  const { handOver } = reply
  const ways = useSend({ lead, item, decide, mail, onLeft, onHandedOver: handOver, onBack: handOver })
  const isLeaving = ways.sending !== undefined && ways.sending.is !== 'failed'
  const ownId = useCurrentUser()?.id
  const meanwhile = reply.isTouched && !isLeaving ? meanwhileOf(item, text.seenAttempt, ownId) : null
  const { needsSecondSend, confirmThenSend } = useDuplicateAnswerGuard(item, meanwhile)
  const { subject, body } = mail()
  const written = reply.isTouched ? text.body : null
  const refusal = refusalOf({ to, email, subject, text: written, body, way: ways.way })
  const press = (isFinished: boolean): void => {
    if (refusal === null) confirmThenSend(() => ways.send(isFinished))
  }
  const { isQueued, queue, dequeue } = useHeld(ways.isKnown, press)
  const dequeueAndWrite = () => {
    dequeue()
    requestReply(lead, 'mail')
  }
  const out = {
    ...ways,
    isQueued,
    send: (isFinished: boolean) => (ways.isKnown ? press(isFinished) : confirmThenSend(() => queue(isFinished))),
    copyAndOpen: (isFinished: boolean) => confirmThenSend(() => ways.copyAndOpen(isFinished)),
    takeBack: isQueued ? dequeueAndWrite : ways.takeBack,
  }
  return { reply, out, isFixed: isQueued || isLeaving, mail, question, refusal, meanwhile, needsSecondSend }
}

/** If a colleague answered meanwhile, the mail goes out only at the second press. */
function useDuplicateAnswerGuard({ attempts: { last } }: LeadItem, meanwhile: Meanwhile | null) {
  const [asked, setAsked] = useState<string | null>(null)
  const isNoticeAboutAttempt = meanwhile === 'mailed' || meanwhile === 'talked' || meanwhile === 'mine'
  const isAnswered = last !== null && isAnswer(last.outcome) && isNoticeAboutAttempt
  const needsSecondSend = isAnswered && asked === last.at
  return {
    needsSecondSend,
    confirmThenSend: (send: () => void) => (isAnswered && !needsSecondSend ? setAsked(last.at) : send()),
  }
}

function MeanwhileNotice({ item, what }: { item: LeadItem; what: Meanwhile | null }) {
  const t = useTranslations('reply.meanwhile')
  const moment = useDayAndTime()
  const { last } = item.attempts
  const by = { name: last?.by?.name ?? t('colleague'), when: last === null ? '' : moment(last.at) }
  // A live region must exist before its text, or it is not read aloud.
  return (
    <div role="status" className="contents">
      {what !== null && <Notice className="mb-2.5">{t(what, by)}</Notice>}
    </div>
  )
}

/** Escape leaves the field and keeps the text, unless `onEscape` is given; Ctrl or Cmd with Enter sends. */
function onKey(event: KeyboardEvent, send: () => void, onEscape?: () => void): void {
  if (event.nativeEvent.isComposing) return
  if (onEscape === undefined || event.key !== 'Escape') leaveByEscape(event)
  else {
    event.preventDefault()
    onEscape()
  }
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  send()
}

function To({ email, instead, onClose }: { email: string; instead: ReactNode; onClose: (() => void) | undefined }) {
  const t = useTranslations('reply')
  return (
    <div className="flex min-h-10 items-center gap-2 border-b border-line-soft py-0.5 pr-1.5 pl-3.5 text-sm">
      <span className="w-16 shrink-0 text-faint">{t('to')}</span>
      <span className="min-w-0 flex-1 font-medium wrap-anywhere touch:text-[1rem]">
        <Address text={email} />
      </span>
      {instead}
      {onClose !== undefined && (
        <IconButton label={t('close')} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

type SubjectProps = { text: string; isFixed: boolean; onChange: (text: string) => void }

function Subject({ text, isFixed, onChange }: SubjectProps) {
  const t = useTranslations('reply')
  const id = useId()
  return (
    <div className="flex min-h-10 items-center gap-2 border-b border-line-soft px-3.5 text-sm">
      <label htmlFor={id} className="w-16 shrink-0 text-faint">
        {t('subject')}
      </label>
      <input
        id={id}
        value={text}
        readOnly={isFixed}
        maxLength={MAX_REPLY_LENGTH.subject}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 min-w-0 flex-1 bg-transparent outline-none focus-visible:underline focus-visible:decoration-line focus-visible:underline-offset-4 touch:h-11 touch:text-[1rem]"
      />
    </div>
  )
}

type QuoteProps = { text: string; isQuoted: boolean; isFixed: boolean; onChange: (isQuoted: boolean) => void }

function Quote({ text, isQuoted, isFixed, onChange }: QuoteProps) {
  const t = useTranslations('reply')
  if (text.trim() === '') return null
  return (
    <label className="mx-3.5 mb-1.5 flex min-h-8 items-center gap-2.5 text-sm text-mute touch:min-h-11">
      <input
        type="checkbox"
        checked={isQuoted}
        disabled={isFixed}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="shrink-0">{t('quote')}</span>
      {isQuoted && (
        <span aria-hidden className="min-w-0 truncate border-l-2 border-line pl-2.5 text-faint">
          {text}
        </span>
      )}
    </label>
  )
}

type CaretOptions = {
  focusRequests: number
  isTouched: boolean
  caret: number
  text: { body: string }
  isQueued: boolean
}

/** Takes the caret to where the answer goes when it is wished for, and to where a template was filled in. */
function useCaret(field: RefObject<HTMLTextAreaElement | null>, options: CaretOptions) {
  const { focusRequests, isTouched, caret, isQueued } = options
  const text = options.text.body
  const wanted = useRef<number | null>(null)
  const seenRequests = useRef(0)
  useLayoutEffect(() => {
    const { current } = field
    if (current === null || focusRequests === seenRequests.current) return
    const isFirst = seenRequests.current === 0
    seenRequests.current = focusRequests
    current.focus()
    // From then on the field remembers its caret.
    if (isFirst || !isTouched) current.setSelectionRange(caret, caret)
    current.scrollIntoView({ block: 'nearest' })
  }, [field, focusRequests, isTouched, caret])
  useLayoutEffect(() => {
    const { current } = field
    // The text is on screen as soon as it has changed, and only then can the caret be put into it.
    if (current === null || current.value !== text) return
    if (wanted.current !== null) current.setSelectionRange(wanted.current, wanted.current)
    // The name may come a moment after the field, and must not leave the caret behind the signature.
    else if (!isTouched && document.activeElement === current) current.setSelectionRange(caret, caret)
    wanted.current = null
  }, [field, text, isTouched, caret])
  useEffect(() => {
    // The send button is gone; without focus Escape would not work.
    if (isQueued) field.current?.focus()
  }, [field, isQueued])
  return (at: number) => {
    wanted.current = at
    field.current?.focus()
  }
}
