import { onlineManager, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'next-intl'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ConfirmDialog } from '@/components/ui/dialog'
import { toast } from '@/components/ui/toast'
import { type LeaveRequest, leaveRequest } from '@/components/ui/unsaved-work'
import { postSignOut } from '@/lib/api/auth-requests'
import { outbox } from '@/lib/inbox/outbox'
import { forgetUser, recordSignOut } from '@/lib/inbox/sign-outs'
import { useCurrentUser } from './current-user'
import { countUnsaved } from './unsaved-guard'

const CHANGES_TIMEOUT_MS = 2_000
const POLL_EVERY_MS = 100

const closeDialog = () => leaveRequest.set(null)

export function LeaveDialog({ request }: { request: LeaveRequest }) {
  const t = useTranslations('leave')
  if (request.kind === 'sign-out') return <SignOutDialog />
  const leave = () => {
    closeDialog()
    request.proceed()
  }
  const texts = { title: t('form.title'), text: t('form.text'), yes: t('form.anyway'), no: t('stay') }
  return <ConfirmDialog {...texts} onYes={leave} onNo={closeDialog} />
}

/** Sends pending mails and changes, then signs out. Asks first if anything would be lost. */
function SignOutDialog() {
  const t = useTranslations('leave')
  const format = useFormatter()
  const client = useQueryClient()
  const owner = useCurrentUser()?.id ?? ''
  const [question, setQuestion] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const endSession = async () => {
    setBusy(true)
    // Requests stop first, because the server refuses those that are still running after the sign-out.
    onlineManager.setOnline(false)
    await client.cancelQueries()
    const nextUrl = await postSignOut()
    if (nextUrl === null) {
      onlineManager.setOnline(navigator.onLine)
      toast(t('signOut.failed'), { tone: 'error' })
      return closeDialog()
    }
    client.getMutationCache().clear()
    // Searches and drafts are removed, so that the next user of this tab does not see them.
    forgetUser(sessionStorage, owner)
    recordSignOut(localStorage, owner, String(Date.now()))
    location.assign(nextUrl)
  }
  const startSignOut = useEffectEvent(async () => {
    await outbox.flush()
    const areChangesSaved = await waitForChanges(client)
    const unsavedCounts = countUnsaved(sessionStorage, owner)
    const kinds = (['notes', 'replies', 'forms'] as const).filter((kind) => unsavedCounts[kind] > 0)
    const unsavedTexts = kinds.map((kind) => t(kind, { count: unsavedCounts[kind] }))
    const warnings: string[] = []
    if (kinds.length > 0) warnings.push(t('signOut.unsaved', { what: format.list(unsavedTexts) }))
    if (!areChangesSaved) warnings.push(t('signOut.pending'))
    if (warnings.length === 0) await endSession()
    else setQuestion(warnings.join(' '))
  })
  // React runs an effect twice in development, and signing out must run once.
  const hasStarted = useRef(false)
  useEffect(() => {
    if (!hasStarted.current) void startSignOut()
    hasStarted.current = true
  }, [])
  if (question === null) return null
  const texts = { title: t('signOut.title'), text: question, yes: t('signOut.anyway'), no: t('stay') }
  return <ConfirmDialog {...texts} busy={isBusy} onYes={() => void endSession()} onNo={closeDialog} />
}

/** Waits for pending changes, and returns whether all were saved in time. */
async function waitForChanges(client: QueryClient): Promise<boolean> {
  for (let waitedMs = 0; client.isMutating() > 0; waitedMs += POLL_EVERY_MS) {
    if (waitedMs >= CHANGES_TIMEOUT_MS || !onlineManager.isOnline()) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS))
  }
  return true
}
