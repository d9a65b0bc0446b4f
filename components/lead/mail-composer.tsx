import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useRef } from 'react'
import { useDayTimeFormatter, useThisYear } from '@/components/app/clock'
import { MinorsNotice } from '@/components/app/minors-notice'
import { useContact } from '@/components/app/own-changes'
import { mayBeMinor } from '@/components/contact/person'
import { useRequestedFocus } from '@/components/contact/use-requested-focus'
import { Button } from '@/components/ui/button'
import { FailureId } from '@/components/ui/failure-id'
import { blurOnEscape } from '@/components/ui/focus-return'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd, findModifierKey } from '@/components/ui/kbd'
import { Notice } from '@/components/ui/notice'
import type { LeadItem } from '@/lib/api/leads'
import { classifyMailFailure, mayHaveArrived } from '@/lib/contacts/mail-failure'
import { MAX_REPLY_LENGTH } from '@/lib/contract/limits'
import { isQuestion } from '@/lib/inbox/lead-text'
import { isTypedKey } from '@/lib/keyboard/key-press'
import { ConfirmSent } from './confirm-sent'
import type { ChannelProps } from './lead-props'
import { type OutgoingMail, useOutgoingMail } from './outgoing-mail'
import { TemplateChoice } from './template-choice'
import { useReply } from './use-reply'

const lineClass = 'flex min-h-10 items-center gap-2 border-b border-line-soft text-sm'
const labelClass = 'w-16 shrink-0 max-[16rem]:w-auto text-faint'

export function MailComposer(props: ChannelProps & { email: string }) {
  const { lead, item, email, isOpened, focusRequestCount, otherChannelButton, onClose } = props
  const t = useTranslations('reply')
  const reply = useReply(lead, item)
  const mailProps = { ...props, reply }
  const outgoing = useOutgoingMail(mailProps)
  const { draft, isTouched, changeText } = reply
  const { handedOver } = draft
  const { data: contact } = useContact(item.contactId, { enabled: isOpened })
  const isPossibleMinor = mayBeMinor(item, contact?.leads.map((other) => other.lead) ?? [], useThisYear())
  const bodyRef = useRef<HTMLTextAreaElement>(null)
  useRequestedFocus(focusRequestCount, () => {
    bodyRef.current?.focus()
    bodyRef.current?.scrollIntoView({ block: 'nearest' })
    bodyRef.current?.setSelectionRange(reply.caret, reply.caret)
  })
  const { isSending } = outgoing
  const isConfirming = handedOver !== undefined
  const onKeyDown = (event: KeyboardEvent) => {
    // A dialog inside the section handles its own keys.
    const isInDialog = event.target instanceof Element && event.target.closest('dialog') !== null
    if (isInDialog || !isTypedKey(event.nativeEvent)) return
    blurOnEscape(event)
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!isConfirming) outgoing.send({ finishesLead: true })
  }
  return (
    <section aria-label={t('region')} onKeyDown={onKeyDown}>
      {/* A live region must exist before its text, or it is not read aloud. */}
      <div role="status" className="contents">
        <ConflictNotice item={item} conflict={outgoing.replyConflict} />
      </div>
      <div className="mt-5 overflow-clip rounded-xl border border-line bg-panel shadow-card has-[textarea:focus-visible]:border-accent">
        <div className={`${lineClass} py-0.5 pr-1.5 pl-3.5`}>
          <span className={labelClass}>{t('to')}</span>
          <span className="min-w-0 flex-1 font-medium wrap-anywhere touch:text-[1rem]">{email}</span>
          {otherChannelButton}
          {(isTouched || !isQuestion(item)) && <IconButton icon={X} label={t('close')} onClick={onClose} />}
        </div>
        <label className={`${lineClass} px-3.5`}>
          <span className={labelClass}>{t('subject')}</span>
          <input
            value={draft.subject}
            readOnly={isSending}
            maxLength={MAX_REPLY_LENGTH.subject}
            onChange={({ target }) => changeText({ subject: target.value })}
            className="h-9 min-w-0 flex-1 bg-transparent outline-none focus-visible:underline focus-visible:decoration-line focus-visible:underline-offset-4 touch:h-11 touch:text-[1rem]"
          />
        </label>
        {!isConfirming && <TemplateChoice item={item} reply={reply} bodyRef={bodyRef} isReadOnly={isSending} />}
        <textarea
          ref={bodyRef}
          aria-label={t('body')}
          data-typed="reply"
          data-confirming={isConfirming || undefined}
          value={draft.body}
          readOnly={isSending}
          lang={reply.context.language}
          dir="auto"
          rows={8}
          onChange={({ target }) => changeText({ body: target.value })}
          className="block field-sizing-content max-h-[60dvh] min-h-44 w-full resize-none bg-transparent px-3.5 py-3 text-base leading-relaxed outline-none touch:text-[1rem] data-confirming:max-h-44 not-focus:data-confirming:mask-b-from-50% not-focus:data-confirming:text-mute"
        />
        {isQuestion(item) && item.question.trim() !== '' && !isConfirming && (
          <p className="px-3.5 pb-2.5 text-sm text-faint">{t('quoted')}</p>
        )}
        {isPossibleMinor && <MinorsNotice />}
        {handedOver === undefined ? (
          <MailFooter outgoing={outgoing} personName={reply.personName} />
        ) : (
          <ConfirmSent key={handedOver.handedOverAt} {...mailProps} outgoing={outgoing} handedOver={handedOver} />
        )}
      </div>
    </section>
  )
}

function ConflictNotice({ item, conflict }: { item: LeadItem; conflict: OutgoingMail['replyConflict'] }) {
  const t = useTranslations('reply.meanwhile')
  const formatDayTime = useDayTimeFormatter()
  const { last } = item.attempts
  if (conflict === null) return null
  const when = last ? formatDayTime(last.at) : ''
  return <Notice className="mb-2.5">{t(conflict, { name: last?.by?.name || t('colleague'), when })}</Notice>
}

function MailFooter({ outgoing, personName }: { outgoing: OutgoingMail; personName: string }) {
  const t = useTranslations('reply')
  const { outboxState, mailWay, refusal, isSending, maySend, needsSecondSend } = outgoing
  const failure = outboxState?.kind === 'failed' ? classifyMailFailure(outboxState.error) : undefined
  let statusText = t('notStored')
  if (refusal?.kind === 'nothingWritten') statusText = ''
  // `t` demands the values of all refusals' messages, so those that this refusal lacks get a default.
  else if (refusal) statusText = t(`refusal.${refusal.kind}`, { over: 0, text: '', ...refusal })
  else if (isSending) statusText = t('sending')
  else if (needsSecondSend) statusText = t('sendAgain')
  return (
    <>
      {failure && (
        <p role="alert" className="border-t border-line-soft bg-danger-soft px-3.5 py-2 text-sm text-danger-ink">
          {!mayHaveArrived(failure) && <span>{t('failed.title', { name: personName })} </span>}
          <span>
            {t(`failed.why.${failure}`)} {t('failed.kept')}
          </span>
          <FailureId />
        </p>
      )}
      {outgoing.isTooLong && (
        <p className="border-t border-line-soft px-3.5 py-2 text-xs text-pretty text-mute">{t('tooLong')}</p>
      )}
      <div className="sticky bottom-0 flex min-h-13 flex-wrap items-center gap-x-2 gap-y-1.5 border-t border-line-soft bg-bg px-3 py-2">
        <Button
          variant="primary"
          className="h-auto! min-h-8 max-w-full flex-wrap py-1 whitespace-normal"
          disabled={!maySend}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => outgoing.send({ finishesLead: true })}
          text={
            <>
              {t(`send.${mailWay}`)}
              <Kbd inverted>{`${findModifierKey()} ↵`}</Kbd>
            </>
          }
        />
        <Button
          text={t(mailWay === 'intag' ? 'send.open' : 'send.kept')}
          disabled={!maySend}
          onClick={() => outgoing.send({ finishesLead: false })}
        />
        <p role="status" className={refusal || needsSecondSend ? 'text-xs text-danger' : 'text-xs text-faint'}>
          {statusText}
        </p>
      </div>
    </>
  )
}
