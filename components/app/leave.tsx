import { onlineManager, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'next-intl'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Leaving, leaving as asked } from '@/components/ui/unsaved-work'
import { ConfirmDialog } from '@/components/ui/dialog'
import { toast } from '@/components/ui/toast'
import { signOut } from '@/lib/api/auth-requests'
import { forgetUser, noteSignOut } from '@/lib/inbox/drafts'
import { outbox } from '@/lib/inbox/outbox'
import { useCurrentUser } from './current-user'
import { findUnsaved, type Unsaved } from './unsaved'

export function Leave({ leaving }: { leaving: Leaving }) {
  return leaving.kind === 'sign-out' ? <SignOut /> : <LeaveForm proceed={leaving.proceed} />
}

const stay = () => asked.show(null)

function LeaveForm({ proceed }: { proceed: () => void }) {
  const t = useTranslations('leave')
  const onYes = () => {
    stay()
    proceed()
  }
  const words = { title: t('form.title'), text: t('form.text'), yes: t('form.anyway'), no: t('stay') }
  return <ConfirmDialog {...words} onYes={onYes} onNo={stay} />
}

/** What is lost by signing out, in the order in which it is asked. */
type Question = { kind: 'unsaved'; here: Unsaved; elsewhere: Unsaved } | { kind: 'pending' }

/** Sends what is on its way, and signs out; asks before anything would be lost. */
function SignOut() {
  const t = useTranslations('leave')
  const client = useQueryClient()
  const owner = useCurrentUser()?.id ?? ''
  const [question, setQuestion] = useState<Question | null>(null)
  const [isBusy, setBusy] = useState(false)
  const endSession = async () => {
    if (await isSessionEnded(client, owner)) return
    toast(t('signOut.failed'), { tone: 'error' })
    stay()
  }
  const begin = useEffectEvent(async () => {
    await outbox.flush()
    const isAllSaved = await isSaved(client)
    const { here, elsewhere } = await findUnsaved(window, owner)
    if (countOf(here) + countOf(elsewhere) > 0) setQuestion({ kind: 'unsaved', here, elsewhere })
    else if (isAllSaved) await endSession()
    else setQuestion({ kind: 'pending' })
  })
  const hasBegun = useRef(false)
  useEffect(() => {
    if (!hasBegun.current) void begin()
    hasBegun.current = true
  }, [])
  const text = useQuestionText(question)
  if (question === null) return null
  const onYes = () => {
    setBusy(true)
    void endSession()
  }
  const words = { title: t('signOut.title'), yes: t('signOut.anyway'), no: t('stay') }
  return <ConfirmDialog {...words} text={text} busy={isBusy} onYes={onYes} onNo={stay} />
}

function useQuestionText(question: Question | null): string {
  const t = useTranslations('leave')
  const format = useFormatter()
  if (question === null) return ''
  if (question.kind !== 'unsaved') return t(`signOut.${question.kind}`)
  const list = (unsaved: Unsaved) => {
    const kinds = (['notes', 'replies', 'forms'] as const).filter((kind) => unsaved[kind] > 0)
    return format.list(kinds.map((kind) => t(kind, { count: unsaved[kind] })))
  }
  const { here, elsewhere } = question
  if (countOf(elsewhere) === 0) return t('signOut.unsaved', { what: list(here) })
  if (countOf(here) === 0) return t('signOut.elsewhere', { what: list(elsewhere) })
  return t('signOut.both', { what: list(here), more: list(elsewhere) })
}

function countOf({ notes, replies, forms }: Unsaved): number {
  return notes + replies + forms
}

const SAVED_WITHIN_MS = 2_000
const POLL_MS = 100

async function isSaved(client: QueryClient): Promise<boolean> {
  for (let waitedMs = 0; client.isMutating() > 0; waitedMs += POLL_MS) {
    if (waitedMs >= SAVED_WITHIN_MS || !onlineManager.isOnline()) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return true
}

/** Clears what this tab stored, and leaves the screen. */
async function isSessionEnded(client: QueryClient, owner: string): Promise<boolean> {
  // No more requests: those on their way would come back refused.
  onlineManager.setOnline(false)
  await client.cancelQueries()
  const next = await signOut()
  if (next === null) {
    onlineManager.setOnline(navigator.onLine)
    return false
  }
  client.getMutationCache().clear()
  // The next user of this tab must not see the searches and drafts of this one.
  forgetUser(sessionStorage, owner)
  noteSignOut(localStorage, owner, String(Date.now()))
  location.assign(next)
  return true
}
