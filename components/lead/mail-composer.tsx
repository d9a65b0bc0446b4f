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
import { Address, useMinor } from '@/components/contact/contact-facts'
import { useDayAndTime } from '@/components/browser/clock'
import { forgetReply, wishReply } from '@/components/contact/reply-wish'
import { useCurrentUser } from '@/components/desk/current-user'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Notice } from '@/components/ui/notice'
import type { LeadItem } from '@/lib/api/leads'
import { refusalOf } from '@/lib/contacts/reply-check'
import { bodyWithQuote } from '@/lib/contacts/reply-text'
import { isAnswer, LONGEST_REPLY } from '@/lib/contract/lists'
import { isQuestion } from '@/lib/inbox/lead-text'
import { type Meanwhile, meanwhileOf, type ReplyDraft } from '@/lib/inbox/drafts'
import type { WayProps } from './lead-toolbar'
import { MailFoot } from './mail-foot'
import { TemplateChoice } from './template-choice'
import { useReply } from './use-reply'
import { useHeld, useSend } from './use-send'

type MailComposerProps = WayProps & { email: string }

export function MailComposer(props: MailComposerProps) {
  const t = useTranslations('reply')
  const minor = useMinor(props.item)
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
          <Button variant="ghost" onClick={() => (forgetReply(), props.onClose())}>
            {t('close')}
          </Button>
        </span>
      </Notice>
    )
  }
  return (
    <Composer
      {...props}
      wishes={hasConfirmed ? Math.max(1, props.wishes) : props.wishes}
      rule={minor === null ? null : t('minorRule')}
    />
  )
}

function Composer({ rule, ...props }: MailComposerProps & { rule: string | null }) {
  const { item, email, wishes, instead, onClose } = props
  const t = useTranslations('reply')
  const { reply, out, isFixed, mail, question, refusal, meanwhile, isAsked } = useComposed(props)
  const { text, change } = reply
  const field = useRef<HTMLTextAreaElement>(null)
  const putCaret = useCaret(field, { ...reply, wishes, isHeld: out.isHeld })
  const maySend = !isFixed && refusal === null
  const onEscape = out.isHeld ? out.takeBack : undefined
  return (
    <section aria-label={t('region')} onKeyDown={(event) => onKey(event, () => maySend && out.send(true), onEscape)}>
      <MeanwhileNotice item={item} what={meanwhile} />
      {!isFixed && <HandedOverNotice handedOver={reply.handedOver} onNote={out.note} />}
      <div className="mt-5 overflow-hidden rounded-xl border border-line bg-panel shadow-card has-[textarea:focus-visible]:border-accent">
        <To email={email} instead={instead} onClose={question === null || reply.isTouched ? onClose : undefined} />
        <Subject text={text.subject} isFixed={isFixed} onChange={(subject) => change({ subject })} />
        <TemplateChoice
          reply={reply}
          isFixed={isFixed}
          onChosen={(template) => putCaret(reply.fillIn(template, field.current?.selectionStart ?? text.body.length))}
          onTakenOut={putCaret}
        />
        <textarea
          ref={field}
          aria-label={t('body')}
          data-letters="reply"
          value={text.body}
          readOnly={isFixed}
          lang={reply.to.language}
          dir="auto"
          rows={8}
          onChange={(event) => change({ body: event.target.value })}
          className="block field-sizing-content max-h-[60dvh] min-h-44 w-full resize-none bg-transparent px-3.5 py-3 text-base leading-relaxed outline-none touch:text-[1rem]"
        />
        {question !== null && (
          <Quote
            text={question}
            isQuoted={text.isQuoted}
            isFixed={isFixed}
            onChange={(isQuoted) => change({ isQuoted })}
          />
        )}
        {rule !== null && <p className="border-t border-line-soft bg-warn px-3.5 py-2 text-xs text-warn-ink">{rule}</p>}
        <MailFoot out={out} isTooLong={out.isTooLong(mail())} refusal={refusal} isAsked={isAsked} item={item} />
      </div>
    </section>
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
  const onBack = (handedOver?: ReplyDraft['handedOver']) => reply.restore({ ...text, handedOver })
  const ways = useSend({ lead, item, decide, mail, onLeft, onBack })
  const isLeaving = ways.sending !== undefined && ways.sending.is !== 'failed'
  const ownId = useCurrentUser()?.id
  const meanwhile = reply.isTouched && !isLeaving ? meanwhileOf(item, text.seenAttempt, ownId) : null
  const { isAsked, ask } = useSecondThought(item, meanwhile)
  const { subject, body } = mail()
  const written = reply.isTouched ? text.body : null
  const refusal = refusalOf({ to, email, subject, text: written, body, isOurs: ways.isOurs })
  const press = (isFinished: boolean) => refusal === null && ask(() => ways.send(isFinished))
  const { isHeld, hold, letGo } = useHeld(ways.isKnown, press)
  const letGoAndWrite = () => {
    letGo()
    wishReply(lead, 'mail')
  }
  const out = {
    ...ways,
    isHeld,
    send: (isFinished: boolean) => (ways.isKnown ? press(isFinished) : ask(() => hold(isFinished))),
    copy: () => ask(ways.copy),
    takeBack: isHeld ? letGoAndWrite : ways.takeBack,
  }
  return { reply, out, isFixed: isHeld || isLeaving, mail, question, refusal, meanwhile, isAsked }
}

/** A person who was answered meanwhile gets a second answer only when it is sent twice. */
function useSecondThought({ attempts: { last } }: LeadItem, meanwhile: Meanwhile | null) {
  const [asked, setAsked] = useState<string | null>(null)
  const isTold = meanwhile === 'mailed' || meanwhile === 'talked' || meanwhile === 'mine'
  const isAnswered = last !== null && isAnswer(last.outcome) && isTold
  const isAsked = isAnswered && asked === last.at
  return { isAsked, ask: (send: () => void) => (isAnswered && !isAsked ? setAsked(last.at) : send()) }
}

function MeanwhileNotice({ item, what }: { item: LeadItem; what: Meanwhile | null }) {
  const t = useTranslations('reply.meanwhile')
  const moment = useDayAndTime()
  const { last } = item.attempts
  const by = { name: last?.by?.name ?? t('colleague'), when: last === null ? '' : moment(last.at) }
  // There before anything is said, so that it is read aloud.
  return (
    <div role="status" className="contents">
      {what !== null && <Notice className="mb-2.5">{t(what, by)}</Notice>}
    </div>
  )
}

type HandedOverProps = { handedOver: ReplyDraft['handedOver']; onNote: (isFinished: boolean) => void }

function HandedOverNotice({ handedOver, onNote }: HandedOverProps) {
  const t = useTranslations('reply.handedOver')
  const moment = useDayAndTime()
  if (handedOver === undefined) return null
  return (
    <Notice className="mb-2.5 flex flex-wrap items-center gap-x-3 gap-y-2">
      <span className="min-w-0 flex-1">{t('said', { when: moment(handedOver.at) })}</span>
      <Button size="sm" onClick={() => onNote(handedOver.isFinished)}>
        {t('note')}
      </Button>
    </Notice>
  )
}

/** Escape leaves the field, and the text in it, unless there is something `onEscape`; Ctrl or Cmd with Enter sends. */
function onKey(event: KeyboardEvent, send: () => void, onEscape?: () => void): void {
  if (event.nativeEvent.isComposing) return
  if (event.key === 'Escape' && event.target instanceof HTMLElement) {
    event.preventDefault()
    if (onEscape === undefined) event.target.blur()
    else onEscape()
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
        maxLength={LONGEST_REPLY.subject}
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

type CaretOptions = { wishes: number; isTouched: boolean; caret: number; text: { body: string }; isHeld: boolean }

/** Takes the caret to where the answer goes when it is wished for, and to where a template was filled in. */
function useCaret(field: RefObject<HTMLTextAreaElement | null>, options: CaretOptions) {
  const { wishes, isTouched, caret, isHeld } = options
  const text = options.text.body
  const wanted = useRef<number | null>(null)
  const seenWishes = useRef(0)
  useLayoutEffect(() => {
    const { current } = field
    if (current === null || wishes === seenWishes.current) return
    const isFirst = seenWishes.current === 0
    seenWishes.current = wishes
    current.focus()
    // Later the field itself knows where one was.
    if (isFirst || !isTouched) current.setSelectionRange(caret, caret)
    current.scrollIntoView({ block: 'nearest' })
  }, [field, wishes, isTouched, caret])
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
    // The button that held the reply is gone, and Escape is to be heard.
    if (isHeld) field.current?.focus()
  }, [field, isHeld])
  return (at: number) => {
    wanted.current = at
    field.current?.focus()
  }
}
