import { onlineManager, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { requestReply } from '@/components/contact/reply-request'
import { useCurrentUser } from '@/components/app/current-user'
import { useTriage } from '@/components/app/use-triage'
import { toast } from '@/components/ui/toast'
import { api, apiQuery } from '@/lib/api/call'
import { refreshCounts, refreshTriaged } from '@/lib/api/refresh'
import { onceKey } from '@/lib/api/triage'
import { isUnanswered, mailFailure, mayHaveArrived, refusalOf } from '@/lib/contacts/reply-check'
import { LINK_SAFE_LENGTH, mailLink, type MailOutside } from '@/lib/contacts/reply-mail'
import { bodyWithQuote } from '@/lib/contacts/reply-text'
import type { LeadRef } from '@/lib/contract/lead'
import { isAnswer, LISTS_BY_KIND, type MailWay } from '@/lib/contract/lists'
import { type HandedOver, meanwhileOf } from '@/lib/inbox/drafts'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { outbox } from '@/lib/inbox/outbox'
import { keptOpen } from '@/lib/inbox/own-changes'
import { type ChannelProps, type Reply, useReplyDrafts } from './use-reply'

const WAYS_STALE_MS = 5 * 60_000

type SendProps = Pick<ChannelProps, 'lead' | 'item' | 'decide' | 'onClose'> & { email: string; reply: Reply }

export type OutgoingMail = ReturnType<typeof useSend>

/** Whether the mail may go, by which way its school mails, and what comes of it. */
export function useSend({ lead, item, email, decide, reply, onClose }: SendProps) {
  const t = useTranslations('reply')
  const [me, drafts] = [useCurrentUser(), useReplyDrafts()]
  const { data: ways, isPending } = useQuery({ ...apiQuery('GET /api/replies'), staleTime: WAYS_STALE_MS })
  const way: MailWay = ways?.ways?.[item.highSchoolId] ?? (ways?.canSend ? 'intag' : 'program')
  const sending = useSending(lead, onClose)
  const sendByIntag = useSendByIntag({ lead, item, decide, reply })
  const [answeredAt, setAnsweredAt] = useState<string | null>(null)

  const { text, to, isTouched } = reply
  const subject = text.subject.trim()
  const body = bodyWithQuote(text.body, text.isQuoted && isQuestion(item) ? item.question : null, to.language)
  const link = way === 'intag' ? '' : mailLink(way, { to: email, subject, body })
  const isTooLong = !isPending && link.length > LINK_SAFE_LENGTH
  const refusal = refusalOf({ to, email, subject, text: isTouched ? text.body : null, body, way })
  const maySend = refusal === null && !isPending
  const isLeaving = sending !== undefined && sending.kind !== 'failed'
  const meanwhile = isTouched && !isLeaving ? meanwhileOf(item, text.seenAttempt, me?.id) : null
  const { last } = item.attempts
  const isAnswered = last !== null && isAnswer(last.outcome) && meanwhile !== null && meanwhile in ANSWERED
  // If a colleague answered meanwhile, the mail goes only at the second press.
  const needsSecondSend = isAnswered && answeredAt === last.at

  const name = nameOf(item) ?? t('person')
  const topic = topicOf(lead)
  const copyFailed = () => toast(t('copyFailed'), { tone: 'error', topic })
  /** Opened, and no more: whether it was sent is asked, and until then nothing is noted. */
  const openOutside = async (outside: MailOutside, isFinished: boolean) => {
    if (isTooLong && !(await isCopied(body))) return copyFailed()
    const anchor = document.createElement('a')
    anchor.href = isTooLong ? mailLink(outside, { to: email, subject }) : link
    // A page is opened in a tab of its own, which learns nothing of this one.
    if (outside !== 'program') Object.assign(anchor, { target: '_blank', rel: 'noopener noreferrer' })
    anchor.click()
    reply.handOver({ at: new Date().toISOString(), isFinished, how: isTooLong ? 'copied' : 'opened' })
  }
  return {
    way,
    sending,
    isLeaving,
    isTooLong,
    refusal,
    maySend,
    meanwhile,
    needsSecondSend,
    send: (isFinished: boolean): void => {
      if (!maySend) return
      if (isAnswered && !needsSecondSend) setAnsweredAt(last.at)
      else if (way === 'intag') sendByIntag(subject, body, isFinished)
      else void openOutside(way, isFinished)
    },
    copy: async () => ((await isCopied(body)) ? toast(t('copied'), { topic }) : copyFailed()),
    takeBack: (): void => void outbox.takeBack(lead),
    /** The user says that it was sent. Undone, or not noted, it is asked again. */
    noteSent: (handedOver: HandedOver): void => {
      const bringBack = () => {
        reply.handOver(handedOver)
        requestReply(lead, 'mail')
      }
      drafts.forget(lead)
      onClose()
      const decision = handedOver.isFinished ? ({ status: 'handled' } as const) : keptOpen(item)
      decide.onNoted({
        item,
        attempt: { channel: 'email', outcome: 'sent', ...decision },
        by: me && { id: me.id, name: me.name },
        said: t('said.noted', { name }),
        undone: t('said.undone', { name }),
        notNoted: { said: t('asked.notNoted', { name }), bringBack },
        onTakenBack: bringBack,
      })
    },
  }
}

/** What is said of one mail takes the place of what was said of it before. */
const topicOf = ({ kind, id }: LeadRef) => `reply ${kind} ${id}`

/** What the writer is told of an answer that was given while they wrote. */
const ANSWERED = { mailed: true, talked: true, mine: true }

/** The way out of a mail to this lead. One that was sent after the user had come back to it closes. */
function useSending(lead: LeadRef, onClose: () => void) {
  const sending = useSyncExternalStore(
    outbox.subscribe,
    () => outbox.read(lead),
    () => undefined,
  )
  const wasSending = useRef(false)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (wasSending.current && sending === undefined) close()
    wasSending.current = sending?.kind === 'sending'
  }, [sending])
  return sending
}

async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Sends after a few seconds in which the mail stays in the browser; the user may go on meanwhile. */
function useSendByIntag({ lead, item, decide, reply }: Pick<SendProps, 'lead' | 'item' | 'decide' | 'reply'>) {
  const t = useTranslations('reply')
  const [client, triage, drafts] = [useQueryClient(), useTriage(), useReplyDrafts()]
  const name = nameOf(item) ?? t('person')
  const topic = topicOf(lead)
  const { list } = LISTS_BY_KIND[lead.kind]
  return (subject: string, body: string, isFinished: boolean): void => {
    const key = drafts.nameMail(lead, `${subject}\n${body}`, onceKey)
    const decision = isFinished ? ({ status: 'handled' } as const) : keptOpen(item)
    const post = () => api('POST /api/replies', { body: { ...lead, subject, body, key, ...decision } })
    let shown: ReturnType<typeof triage.mail> | undefined
    const openAgain = () => {
      decide.onGoBack([lead])
      requestReply(lead, 'mail')
    }
    const send = async () => {
      toast(t(onlineManager.isOnline() ? 'sending' : 'held'), { topic })
      try {
        const { attempt } = await (shown === undefined ? post() : shown.send(post))
        drafts.forget(lead)
        toast(t(attempt ? 'said.sent' : 'said.notNoted', { name }), { topic, stays: attempt === null })
        void refreshTriaged(client, list)
        void refreshCounts(client)
      } catch (error) {
        const failure = mailFailure(error)
        if (!isUnanswered(failure)) drafts.forgetName(lead)
        if (failure === 'unknown') reply.handOver({ at: new Date().toISOString(), isFinished, how: 'unknown' })
        // Signing in again leads back to what is on screen, which must not look as if this reply had left.
        if (failure === 'unauthenticated') decide.onGoBack([lead])
        const mayBeThere = mayHaveArrived(failure)
        if (mayBeThere) void refreshTriaged(client, list)
        toast(mayBeThere ? t(`failed.why.${failure}`) : t('failed.title', { name }), {
          tone: 'error',
          topic,
          stays: true,
          action: { label: t('openAgain'), onClick: openAgain },
        })
        throw error
      }
    }
    const onTakenBack = () => {
      toast(t('said.takenBack', { name }), { topic })
      shown?.takeBack()
      openAgain()
    }
    const until = outbox.begin({ lead, send, onTakenBack, isLast: triage.mark() })
    if (until === null) return
    reply.handOver(undefined)
    shown = triage.mail(lead, item, decision)
    toast(<SecondsLeft until={until}>{(seconds) => t('sendsIn', { name, seconds })}</SecondsLeft>, {
      topic,
      action: { label: t('takeBack'), onClick: () => void outbox.takeBack(lead) },
    })
    if (isFinished) decide.onLeave(item)
  }
}

const LOOK_MS = 250

export function SecondsLeft({ until, children }: { until: number; children: (seconds: number) => ReactNode }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <span role="timer" aria-live="off" className="tabular">
      {children(Math.max(0, Math.ceil((until - now) / 1000)))}
    </span>
  )
}
