import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react'
import { useDayAndTime, useThisYear } from '@/components/browser/clock'
import { Address } from '@/components/contact/contact-facts'
import { mayBeMinor } from '@/components/contact/person'
import { MinorsLine } from '@/components/desk/minors-line'
import { useContact } from '@/components/triage/use-pending'
import { leaveByEscape } from '@/components/ui/focus-return'
import { IconButton } from '@/components/ui/icon-button'
import { Notice } from '@/components/ui/notice'
import type { LeadItem } from '@/lib/api/leads'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import { MAX_REPLY_LENGTH } from '@/lib/contract/lists'
import { isPressOfKey } from '@/lib/keyboard/key-press'
import type { Meanwhile } from '@/lib/inbox/drafts'
import type { ChannelProps } from './lead-toolbar'
import { MailFooter } from './mail-footer'
import { useOutgoingMail } from './outgoing-mail'
import { TemplateChoice } from './template-choice'
import type { Reply } from './use-reply'

type MailComposerProps = ChannelProps & { email: string }

export function MailComposer(props: MailComposerProps) {
  const { item, email, focusRequests, otherChannel, onClose } = props
  const t = useTranslations('reply')
  const { reply, outgoing, isFixed, question, meanwhile } = useOutgoingMail(props)
  const { text, change, fillIn } = reply
  const { data: contact } = useContact(item.contactId)
  const isMinor = mayBeMinor(item, contact?.leads.map(({ lead }) => lead) ?? [], useThisYear())
  const field = useRef<HTMLTextAreaElement>(null)
  const putCaret = useCaret(field, reply, focusRequests)
  const onChosen = (template: ReplyTemplate) =>
    putCaret(fillIn(template, field.current?.selectionStart ?? text.body.length))
  const asksIfSent = reply.handedOver !== undefined
  const maySend = !isFixed && outgoing.maySend && !asksIfSent
  return (
    <section aria-label={t('region')} onKeyDown={(event) => onKey(event, () => maySend && outgoing.send(true))}>
      <MeanwhileNotice item={item} what={meanwhile} />
      <div className="mt-5 overflow-clip rounded-xl border border-line bg-panel shadow-card has-[textarea:focus-visible]:border-accent">
        <To
          email={email}
          otherChannel={otherChannel}
          onClose={question === null || reply.isTouched ? onClose : undefined}
        />
        <Subject text={text.subject} isFixed={isFixed} onChange={(subject) => change({ subject })} />
        {!asksIfSent && <TemplateChoice reply={reply} isFixed={isFixed} onChosen={onChosen} />}
        <Text ref={field} reply={reply} isFixed={isFixed} asksIfSent={asksIfSent} />
        {question !== null && !asksIfSent && <Quote question={question} reply={reply} isFixed={isFixed} />}
        {isMinor && <MinorsLine />}
        <MailFooter outgoing={outgoing} item={item} handedOver={reply.handedOver} />
      </div>
    </section>
  )
}

type TextProps = {
  ref: RefObject<HTMLTextAreaElement | null>
  reply: Reply
  isFixed: boolean
  asksIfSent: boolean
}

/** Dimmed while we ask whether it was sent. The height stays, so that the buttons below do not move. */
function Text({ ref, reply, isFixed, asksIfSent }: TextProps) {
  const t = useTranslations('reply')
  return (
    <textarea
      ref={ref}
      aria-label={t('body')}
      data-typed="reply"
      data-asking={asksIfSent || undefined}
      value={reply.text.body}
      readOnly={isFixed}
      lang={reply.to.language}
      dir="auto"
      rows={8}
      onChange={({ target }) => reply.change({ body: target.value })}
      className="block field-sizing-content max-h-[60dvh] min-h-44 w-full resize-none bg-transparent px-3.5 py-3 text-base leading-relaxed outline-none touch:text-[1rem] data-asking:max-h-44 not-focus:data-asking:mask-b-from-50% not-focus:data-asking:text-mute"
    />
  )
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

/** Escape leaves the field and keeps the text; Ctrl or Cmd with Enter sends. */
function onKey(event: KeyboardEvent, send: () => void): void {
  if (!isPressOfKey(event.nativeEvent)) return
  leaveByEscape(event)
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  send()
}

function To({
  email,
  otherChannel,
  onClose,
}: {
  email: string
  otherChannel: ReactNode
  onClose: (() => void) | undefined
}) {
  const t = useTranslations('reply')
  return (
    <div className="flex min-h-10 items-center gap-2 border-b border-line-soft py-0.5 pr-1.5 pl-3.5 text-sm">
      <span className="w-16 shrink-0 max-[16rem]:w-auto text-faint">{t('to')}</span>
      <span className="min-w-0 flex-1 font-medium wrap-anywhere touch:text-[1rem]">
        <Address text={email} />
      </span>
      {otherChannel}
      {onClose !== undefined && <IconButton icon={X} label={t('close')} onClick={onClose} />}
    </div>
  )
}

function Subject({ text, isFixed, onChange }: { text: string; isFixed: boolean; onChange: (text: string) => void }) {
  const t = useTranslations('reply')
  const id = useId()
  return (
    <div className="flex min-h-10 items-center gap-2 border-b border-line-soft px-3.5 text-sm">
      <label htmlFor={id} className="w-16 shrink-0 max-[16rem]:w-auto text-faint">
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

function Quote({ question, reply, isFixed }: { question: string; reply: Reply; isFixed: boolean }) {
  const t = useTranslations('reply')
  if (question.trim() === '') return null
  const { isQuoted } = reply.text
  return (
    <label className="mx-3.5 mb-1.5 flex min-h-8 items-center gap-2.5 text-sm text-mute touch:min-h-11">
      <input
        type="checkbox"
        checked={isQuoted}
        disabled={isFixed}
        onChange={(event) => reply.change({ isQuoted: event.target.checked })}
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

/** Takes the caret to where the answer goes when the user asks for it, and to where a template was filled in. */
function useCaret(
  field: RefObject<HTMLTextAreaElement | null>,
  { isTouched, caret, text: { body: text } }: Reply,
  focusRequests: number,
) {
  const placeAfterFilling = useRef<number | null>(null)
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
    if (placeAfterFilling.current !== null)
      current.setSelectionRange(placeAfterFilling.current, placeAfterFilling.current)
    // The name may come a moment after the field, and must not leave the caret behind the signature.
    else if (!isTouched && document.activeElement === current) current.setSelectionRange(caret, caret)
    placeAfterFilling.current = null
  }, [field, text, isTouched, caret])
  return (at: number) => {
    placeAfterFilling.current = at
    field.current?.focus()
  }
}
