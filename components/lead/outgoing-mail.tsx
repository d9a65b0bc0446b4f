import { onlineManager, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { useNow } from '@/components/app/clock'
import { useCurrentUser } from '@/components/app/current-user'
import { useTriage } from '@/components/app/use-triage'
import { requestWriting } from '@/components/contact/writing-request'
import { toast } from '@/components/ui/toast'
import { api, apiQuery } from '@/lib/api/call'
import { createIdempotencyKey } from '@/lib/api/mutation-options'
import { mutateInOrder, refreshCounts, refreshTriaged } from '@/lib/api/refresh'
import { classifyFailure, isUnanswered, mayHaveArrived } from '@/lib/contacts/mail-failure'
import { findRefusal } from '@/lib/contacts/reply-check'
import { LINK_SAFE_LENGTH, createMailLink } from '@/lib/contacts/reply-mail'
import { appendQuote } from '@/lib/contacts/reply-text'
import type { LeadRef } from '@/lib/contract/lead'
import type { MailWay } from '@/lib/contract/limits'
import { isAnswer, LISTS_BY_KIND } from '@/lib/contract/lists'
import { findReplyConflict } from '@/lib/inbox/reply-conflict'
import { isQuestion } from '@/lib/inbox/lead-text'
import { outbox, UNDO_SEND_MS } from '@/lib/inbox/outbox'
import { toAnswerDecision } from '@/lib/inbox/own-changes'
import { leadKey } from '@/lib/leads/lead-key'
import type { ChannelProps } from './lead-props'
import type { Reply } from './use-reply'

const WAYS_STALE_MS = 5 * 60_000
/** Of the conflicts only an attempt can be an answer; the others are decisions. */
const ATTEMPT_CONFLICTS = new Set<ReturnType<typeof findReplyConflict>>(['mailed', 'talked', 'mine'])

type SendProps = ChannelProps & { email: string; reply: Reply }

export type OutgoingMail = ReturnType<typeof useOutgoingMail>

/** Decides whether the mail may be sent, sends it by its school's method, and follows its state. */
export function useOutgoingMail(props: SendProps) {
  const { lead, item, email, reply, onClose } = props
  const user = useCurrentUser()
  const { data: ways, isPending } = useQuery({ ...apiQuery('GET /api/replies'), staleTime: WAYS_STALE_MS })
  const mailWay: MailWay = ways?.ways?.[item.highSchoolId] ?? (ways?.canSend ? 'intag' : 'program')
  const sending = useSyncExternalStore(
    outbox.subscribe,
    () => outbox.read(lead),
    () => undefined,
  )
  // If the user has returned to the lead meanwhile, the panel closes once the mail is sent.
  const wasSending = useRef(false)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (wasSending.current && sending === undefined) close()
    wasSending.current = sending?.kind === 'sending'
  }, [sending])
  const sendByIntag = useSendByIntag(props)
  const openInProgram = useOpenInProgram(props)
  const [warnedAnswerAt, setWarnedAnswerAt] = useState<string | null>(null)
  const { draft, context, isTouched } = reply
  const subject = draft.subject.trim()
  const body = appendQuote(draft.body, isQuestion(item) ? item.question : null, context.language)
  const link = mailWay === 'intag' ? '' : createMailLink(mailWay, { to: email, subject, body })
  const isTooLong = !isPending && link.length > LINK_SAFE_LENGTH
  const refusal = findRefusal({ context, email, subject, text: isTouched ? draft.body : null, body, way: mailWay })
  const isLeaving = sending !== undefined && sending.kind !== 'failed'
  const maySend = refusal === null && !isPending && !isLeaving
  const replyConflict = isTouched && !isLeaving ? findReplyConflict(item, draft.seenAttempt, user?.id) : null
  const { last } = item.attempts
  const isAnsweredMeanwhile = last !== null && isAnswer(last.outcome) && ATTEMPT_CONFLICTS.has(replyConflict)
  // If the lead was answered meanwhile, the mail is sent only at the second press.
  const needsSecondSend = isAnsweredMeanwhile && warnedAnswerAt === last.at
  return {
    body,
    mailWay,
    sending,
    isLeaving,
    isTooLong,
    refusal,
    maySend,
    replyConflict,
    needsSecondSend,
    send: ({ isFinished }: { isFinished: boolean }): void => {
      if (!maySend) return
      if (isAnsweredMeanwhile && !needsSecondSend) setWarnedAnswerAt(last.at)
      else if (mailWay === 'intag') sendByIntag(subject, body, isFinished)
      else if (isTooLong) void openInProgram(createMailLink(mailWay, { to: email, subject }), body, isFinished)
      else void openInProgram(link, null, isFinished)
    },
  }
}

/** Opens the mail in a mail program or in webmail. The text is copied first if it is too long for the link. */
function useOpenInProgram({ lead, reply }: SendProps) {
  const t = useTranslations('reply')
  return async (link: string, textToCopy: string | null, isFinished: boolean) => {
    try {
      if (textToCopy !== null) await navigator.clipboard.writeText(textToCopy)
    } catch {
      return toast(t('copyFailed'), { tone: 'error', topic: toReplyTopic(lead) })
    }
    const anchor = document.createElement('a')
    anchor.href = link
    // Webmail opens in a tab of its own, which gets no reference to this one.
    if (anchor.protocol !== 'mailto:') {
      anchor.target = '_blank'
      anchor.rel = 'noopener noreferrer'
    }
    anchor.click()
    const how = textToCopy === null ? 'opened' : 'copied'
    reply.setHandedOver({ handedOverAt: new Date().toISOString(), isFinished, how })
  }
}

/** Puts the mail into the outbox, which sends it after a few seconds. */
function useSendByIntag({ lead, item, handlers, reply }: SendProps) {
  const t = useTranslations('reply')
  const client = useQueryClient()
  const triage = useTriage()
  const { drafts, personName: name } = reply
  const topic = toReplyTopic(lead)
  const { list } = LISTS_BY_KIND[lead.kind]
  return (subject: string, body: string, isFinished: boolean): void => {
    const key = drafts.getMailKey(lead, `${subject}\n${body}`, createIdempotencyKey)
    const decision = toAnswerDecision(item, isFinished)
    const post = () => api('POST /api/replies', { body: { ...lead, subject, body, key, ...decision } })
    const { promise: whenSent, resolve: settle } = Promise.withResolvers<boolean>()
    const openAgain = () => {
      handlers.onReturn([lead])
      requestWriting(lead, 'mail')
    }
    const send = async () => {
      toast(t(onlineManager.isOnline() ? 'sending' : 'held'), { topic })
      try {
        const { attempt } = await mutateInOrder(client, { mutationFn: post })
        settle(true)
        drafts.forget(lead)
        toast(t(attempt ? 'said.sent' : 'said.notNoted', { name }), { topic, isPersistent: attempt === null })
        void refreshTriaged(client, list)
        void refreshCounts(client)
      } catch (error) {
        settle(false)
        const failure = classifyFailure(error)
        if (!isUnanswered(failure)) drafts.forgetMailKey(lead)
        if (failure === 'unknown')
          reply.setHandedOver({ handedOverAt: new Date().toISOString(), isFinished, how: 'unknown' })
        // Signing in again returns to what is on screen.
        if (failure === 'unauthenticated') handlers.onReturn([lead])
        const mayHaveBeenSent = mayHaveArrived(failure)
        if (mayHaveBeenSent) void refreshTriaged(client, list)
        toast(mayHaveBeenSent ? t(`failed.why.${failure}`) : t('failed.title', { name }), {
          tone: 'error',
          topic,
          isPersistent: true,
          action: { label: t('openAgain'), onClick: openAgain },
        })
        throw error
      }
    }
    const onTakenBack = () => {
      toast(t('said.takenBack', { name }), { topic })
      settle(false)
      openAgain()
    }
    const undoUntil = outbox.enqueue({ lead, send, onTakenBack })
    if (undoUntil === null) return
    reply.setHandedOver(undefined)
    triage.applyMailDecision(lead, item, decision, whenSent)
    toast(<SecondsLeft undoUntil={undoUntil}>{(seconds) => t('sendsIn', { name, seconds })}</SecondsLeft>, {
      topic,
      action: { label: t('takeBack'), onClick: () => void outbox.takeBack(lead) },
    })
    if (isFinished) handlers.onFinished(item)
  }
}

const toReplyTopic = (lead: LeadRef) => `reply ${leadKey(lead)}`

function SecondsLeft({ undoUntil, children }: { undoUntil: number; children: (seconds: number) => ReactNode }) {
  const leftMs = undoUntil - (useNow() ?? undoUntil - UNDO_SEND_MS)
  return (
    <span role="timer" aria-live="off" className="tabular">
      {children(Math.max(0, Math.ceil(leftMs / 1000)))}
    </span>
  )
}
