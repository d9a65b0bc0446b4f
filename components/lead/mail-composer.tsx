import { useQuery } from '@tanstack/react-query'
import { BookmarkPlus, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import {
  Fragment,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useDayTimeFormatter, useThisYear } from '@/components/app/clock'
import { CopyTextButton } from '@/components/app/copy-text-button'
import { useCurrentUser } from '@/components/app/current-user'
import { lazyDialog } from '@/components/app/lazy-part'
import { MinorsNotice } from '@/components/app/minors-notice'
import { useContact } from '@/components/app/own-changes'
import { EmailAddress } from '@/components/contact/contact-facts'
import { mayBeMinor } from '@/components/contact/person'
import { requestWriting } from '@/components/contact/writing-request'
import { Button } from '@/components/ui/button'
import { FailureId } from '@/components/ui/failure-id'
import { blurOnEscape } from '@/components/ui/focus-return'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd, modifierKey } from '@/components/ui/kbd'
import { Menu, MenuItem, MenuLabel } from '@/components/ui/menu'
import { Notice } from '@/components/ui/notice'
import type { LeadItem } from '@/lib/api/leads'
import { templatesQuery } from '@/lib/api/queries'
import { mailFailure, mayHaveArrived } from '@/lib/contacts/reply-check'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import { MAX_REPLY_LENGTH } from '@/lib/contract/lists'
import { groupBy } from '@/lib/group-by'
import type { HandedOver } from '@/lib/inbox/drafts'
import { displayNameOf, isQuestion } from '@/lib/inbox/lead-text'
import { toAnswerDecision } from '@/lib/inbox/own-changes'
import { isTypedKey } from '@/lib/keyboard/key-press'
import { startTimeout } from '@/lib/start-timeout'
import { type ChannelProps, type OutgoingMail, type Reply, useOutgoingMail, useReply } from './use-reply'

export function MailComposer(props: ChannelProps & { email: string }) {
  const { lead, item, email, isOpened, focusRequests, otherChannel, onClose } = props
  const t = useTranslations('reply')
  const reply = useReply(lead, item)
  const outgoing = useOutgoingMail({ ...props, reply })
  const { text, isTouched, change } = reply
  const { data: contact } = useContact(item.contactId, { enabled: isOpened })
  const isMinor = mayBeMinor(item, contact?.leads.map((found) => found.lead) ?? [], useThisYear())
  const field = useFocusedField(reply, focusRequests)
  const formatDayTime = useDayTimeFormatter()
  const { last } = item.attempts
  const { replyConflict, isLeaving } = outgoing
  const isAsking = text.handedOver !== undefined
  /** Escape leaves the field and keeps the text; Ctrl or Cmd with Enter sends. */
  const onKeyDown = (event: KeyboardEvent) => {
    const isInDialog = event.target instanceof Element && event.target.closest('dialog') !== null
    if (isInDialog || !isTypedKey(event.nativeEvent)) return
    blurOnEscape(event)
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!isAsking) outgoing.send(true)
  }
  return (
    <section aria-label={t('region')} onKeyDown={onKeyDown}>
      {/* A live region must exist before its text, or it is not read aloud. */}
      <div role="status" className="contents">
        {replyConflict !== null && (
          <Notice className="mb-2.5">
            {t(`meanwhile.${replyConflict}`, {
              name: last?.by?.name ?? t('meanwhile.colleague'),
              when: last ? formatDayTime(last.at) : '',
            })}
          </Notice>
        )}
      </div>
      <div className="mt-5 overflow-clip rounded-xl border border-line bg-panel shadow-card has-[textarea:focus-visible]:border-accent">
        <div className={`${lineClass} py-0.5 pr-1.5 pl-3.5`}>
          <span className={labelClass}>{t('to')}</span>
          <span className="min-w-0 flex-1 font-medium wrap-anywhere touch:text-[1rem]">
            <EmailAddress email={email} />
          </span>
          {otherChannel}
          {(isTouched || !isQuestion(item)) && <IconButton icon={X} label={t('close')} onClick={onClose} />}
        </div>
        <label className={`${lineClass} px-3.5`}>
          <span className={labelClass}>{t('subject')}</span>
          <input
            value={text.subject}
            readOnly={isLeaving}
            maxLength={MAX_REPLY_LENGTH.subject}
            onChange={({ target }) => change({ subject: target.value })}
            className="h-9 min-w-0 flex-1 bg-transparent outline-none focus-visible:underline focus-visible:decoration-line focus-visible:underline-offset-4 touch:h-11 touch:text-[1rem]"
          />
        </label>
        {!isAsking && <TemplateChoice item={item} reply={reply} field={field} isReadOnly={isLeaving} />}
        <textarea
          ref={field}
          aria-label={t('body')}
          data-typed="reply"
          // The text is dimmed while we ask whether it was sent; its height stays, so that the buttons below do not move.
          data-asking={isAsking || undefined}
          value={text.body}
          readOnly={isLeaving}
          lang={reply.context.language}
          dir="auto"
          rows={8}
          onChange={({ target }) => change({ body: target.value })}
          className="block field-sizing-content max-h-[60dvh] min-h-44 w-full resize-none bg-transparent px-3.5 py-3 text-base leading-relaxed outline-none touch:text-[1rem] data-asking:max-h-44 not-focus:data-asking:mask-b-from-50% not-focus:data-asking:text-mute"
        />
        {isQuestion(item) && item.question.trim() !== '' && !isAsking && (
          <p className="px-3.5 pb-2.5 text-sm text-faint">{t('quoted')}</p>
        )}
        {isMinor && <MinorsNotice />}
        {text.handedOver === undefined ? (
          <MailFooter outgoing={outgoing} name={displayNameOf(item) ?? t('person')} />
        ) : (
          <ConfirmSent {...props} reply={reply} outgoing={outgoing} handedOver={text.handedOver} />
        )}
      </div>
    </section>
  )
}

const lineClass = 'flex min-h-10 items-center gap-2 border-b border-line-soft text-sm'
const labelClass = 'w-16 shrink-0 max-[16rem]:w-auto text-faint'

const SaveTemplateDialog = lazyDialog(async () => (await import('./save-template-dialog')).SaveTemplateDialog)

type TemplateChoiceProps = {
  item: LeadItem
  reply: Reply
  field: RefObject<HTMLTextAreaElement | null>
  isReadOnly: boolean
}

/** A menu, in which arrow keys only move; in some browsers a select would insert each template on the way. */
function TemplateChoice({ item, reply, field, isReadOnly }: TemplateChoiceProps) {
  const t = useTranslations('reply')
  const { data, isError } = useQuery(templatesQuery)
  const [isSaving, setSaving] = useState(false)
  if (isError) return <p className="px-3.5 pt-2 text-xs text-mute">{t('templatesFailed')}</p>
  const { language } = reply.context
  const other = `otherLanguage.${language === 'sv' ? 'en' : 'sv'}` as const
  const groups = groupBy(data?.templates ?? [], (template) => {
    if (template.language !== language) return other
    return template.isOwn ? 'own' : 'shared'
  })
  const choose = (template: ReplyTemplate) => {
    // The text must be in the field before the caret can be set.
    const position = field.current?.selectionStart ?? reply.text.body.length
    const caret = flushSync(() => reply.insertTemplate(template, position))
    field.current?.focus()
    field.current?.setSelectionRange(caret, caret)
  }
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line-soft px-3.5 py-1 text-sm">
      <Menu
        label={t('template')}
        className="max-w-80"
        trigger={(props) => (
          <button
            {...props}
            type="button"
            disabled={isReadOnly || groups.size === 0}
            className="mr-auto flex h-8 items-center text-mute hover:text-ink touch:h-11"
          >
            {t('template')}
          </button>
        )}
      >
        {(close) =>
          (['own', 'shared', other] as const).map((group) => (
            <Fragment key={group}>
              {groups.has(group) && groups.size > 1 && <MenuLabel>{t(group)}</MenuLabel>}
              {groups.get(group)?.map((template) => (
                // Closing returns the focus to the menu's button, so it comes before the text gets the focus.
                <MenuItem key={template.id} onSelect={() => (close(), choose(template))}>
                  <span lang={template.language}>{template.name}</span>
                </MenuItem>
              ))}
            </Fragment>
          ))
        }
      </Menu>
      {reply.isTouched && (
        <Button
          icon={BookmarkPlus}
          text={t('saveTemplate.title')}
          size="sm"
          variant="ghost"
          disabled={isReadOnly}
          onClick={() => setSaving(true)}
        />
      )}
      {isSaving && <SaveTemplateDialog item={item} reply={reply} onClose={() => setSaving(false)} />}
    </div>
  )
}

/** Focuses the field each time the user chooses to answer, with the caret where the answer goes on. */
function useFocusedField({ caret }: Reply, focusRequests: number) {
  const field = useRef<HTMLTextAreaElement>(null)
  const focusField = useEffectEvent(() => {
    field.current?.focus()
    field.current?.scrollIntoView({ block: 'nearest' })
    field.current?.setSelectionRange(caret, caret)
  })
  useLayoutEffect(() => {
    if (focusRequests > 0) focusField()
  }, [focusRequests])
  return field
}

function MailFooter({ outgoing, name }: { outgoing: OutgoingMail; name: string }) {
  const t = useTranslations('reply')
  const { sending, mailWay, refusal, isLeaving, maySend, needsSecondSend } = outgoing
  const failure = sending?.kind === 'failed' ? mailFailure(sending.error) : undefined
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
      <div className="sticky bottom-0 flex min-h-13 flex-wrap items-center gap-x-2 gap-y-1.5 border-t border-line-soft bg-bg px-3 py-2">
        <Button
          variant="primary"
          className="h-auto! min-h-8 max-w-full flex-wrap py-1 whitespace-normal"
          disabled={!maySend}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => outgoing.send(true)}
          text={
            <>
              {t(`send.${mailWay}`)}
              <Kbd inverted>{`${modifierKey()} ↵`}</Kbd>
            </>
          }
        />
        <Button
          text={t(mailWay === 'intag' ? 'send.open' : 'send.kept')}
          disabled={!maySend}
          onClick={() => outgoing.send(false)}
        />
        {/* An empty reply shows no reason, because the user sees that nothing is written. */}
        {refusal?.kind !== 'nothingWritten' && (
          <p role="status" className={refusal || needsSecondSend ? 'text-xs text-danger' : 'text-xs text-faint'}>
            {refusal
              ? t(`refusal.${refusal.kind}`, { over: 0, text: '', name: '', ...refusal })
              : t(isLeaving ? 'sending' : needsSecondSend ? 'sendAgain' : 'notStored')}
          </p>
        )}
      </div>
    </>
  )
}

/** The buttons are disabled this long, because the second press of a double click was meant for the button that opened the mail. */
const DOUBLE_PRESS_MS = 600

type ConfirmSentProps = ChannelProps & { reply: Reply; outgoing: OutgoingMail; handedOver: HandedOver }

/** Asks whether a mail that was opened elsewhere has been sent. Nothing is noted until the user says so. */
function ConfirmSent({ lead, item, handlers, reply, outgoing, handedOver, onClose }: ConfirmSentProps) {
  const t = useTranslations('reply')
  const user = useCurrentUser()
  const id = useId()
  const group = useRef<HTMLDivElement>(null)
  const [isPressable, setPressable] = useState(() => Date.now() - Date.parse(handedOver.handedOverAt) > DOUBLE_PRESS_MS)
  useEffect(() => {
    if (isPressable) return undefined
    group.current?.focus()
    return startTimeout(DOUBLE_PRESS_MS, () => setPressable(true))
  }, [isPressable])
  const isUnknown = handedOver.how === 'unknown'
  const maySend = outgoing.maySend && isPressable
  const noteSent = () => {
    const name = displayNameOf(item) ?? t('person')
    // We ask again if the note is undone, or fails.
    const reopenMail = () => {
      reply.setHandedOver(handedOver)
      requestWriting(lead, 'mail')
    }
    reply.drafts.forget(lead)
    onClose()
    handlers.onAttempt({
      item,
      attempt: { channel: 'email', outcome: 'sent', ...toAnswerDecision(item, handedOver.isFinished) },
      author: user && { id: user.id, name: user.name },
      notice: t('said.noted', { name }),
      undoneNotice: t('said.undone', { name }),
      failureNotice: t('asked.notNoted', { name }),
      onReverted: reopenMail,
    })
  }
  return (
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      aria-labelledby={id}
      className="sticky bottom-0 border-t border-line-soft bg-bg px-3 py-2.5 -outline-offset-2"
    >
      <h3 id={id} className="font-semibold">
        {t(isUnknown ? 'asked.unknownTitle' : 'asked.title')}
      </h3>
      {handedOver.how !== 'opened' && <p className="text-sm text-mute">{t(`asked.${handedOver.how}`)}</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button
          text={t('asked.yes')}
          disabled={!isPressable}
          variant="accent"
          onClick={noteSent}
          className="min-w-16"
        />
        <Button
          text={t(isUnknown ? 'asked.sendAgain' : 'asked.again')}
          disabled={!maySend}
          onClick={() => outgoing.send(handedOver.isFinished)}
        />
        <CopyTextButton text={t('asked.copy')} textToCopy={outgoing.body} disabled={!maySend} />
      </div>
    </div>
  )
}
