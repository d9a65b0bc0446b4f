'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { createElement, type ReactNode, useEffect, useState } from 'react'
import { lazyCode, useLazyCode } from '@/components/browser/lazy-code'
import { LiveProvider } from '@/components/browser/live'
import { UrlStateProvider } from '@/components/browser/url-state'
import { CommandsProvider } from '@/components/desk/commands'
import { CurrentListProvider } from '@/components/desk/current-list'
import { GoingProvider } from '@/components/desk/go'
import { lazyDialog } from '@/components/desk/lazy-part'
import { toast, Toaster } from '@/components/ui/toast'
import { TriageProvider } from '@/components/triage/use-triage'
import { isTriedAgain, NOT_SAVED, type NotSaved, READING_ASKED, retryDelayMs, SESSION_LOST } from '@/lib/api/send'
import { KeptLetters } from './kept-letters'
import { ProofNeeded } from './proof-needed'

/** A browser's first number takes 13 ms, whichever it is: in a task of its own, not amid the first rendering. */
if (typeof document !== 'undefined') setTimeout(() => new Intl.NumberFormat(document.documentElement.lang || undefined))

/** What every screen behind sign-in shares in the browser. */
export function Providers({ children }: { children: ReactNode }) {
  const t = useTranslations('shell')
  const [queryClient] = useState(makeQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <UrlStateProvider>
        <LiveProvider>
          <TriageProvider>
            <CurrentListProvider>
              <CommandsProvider>
                <GoingProvider>{children}</GoingProvider>
              </CommandsProvider>
            </CurrentListProvider>
          </TriageProvider>
        </LiveProvider>
        <SessionLost />
        <ProofNeeded />
        <ReadingAsked />
        <SayNotSaved />
        <KeptLetters />
        <Toaster label={t('notifications')} />
      </UrlStateProvider>
    </QueryClientProvider>
  )
}

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: isTriedAgain, retryDelay: retryDelayMs },
    },
  })
}

const SessionLostDialog = lazyDialog(async () => (await import('./session-lost-dialog')).SessionLostDialog)

/** Comes up when any request was answered with 401. */
function SessionLost() {
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    const onLost = () => setLost(true)
    window.addEventListener(SESSION_LOST, onLost)
    return () => window.removeEventListener(SESSION_LOST, onLost)
  }, [])
  if (!isLost) return null
  return <SessionLostDialog onClose={() => setLost(false)} />
}

const SAID_MS = 20_000

/** Says why, beside what the screen itself says: the database is away, or Intag is open at another address than its own. */
function SayNotSaved() {
  const t = useTranslations('trouble.notSaved')
  useEffect(() => {
    let saidAt = -Infinity
    const onRefused = ({ detail, timeStamp }: Event & { detail?: NotSaved }) => {
      // What is tried again by itself fails again by the same.
      if (detail === undefined || timeStamp - saidAt < SAID_MS) return
      saidAt = timeStamp
      toast(t(detail), { tone: 'error' })
    }
    window.addEventListener(NOT_SAVED, onRefused)
    return () => window.removeEventListener(NOT_SAVED, onRefused)
  }, [t])
  return null
}

const questionCode = lazyCode(async () => (await import('@/components/reading/reading-question')).ReadingQuestion)

/** From the first answer on that says so, the person may be asked why they read so much. */
function ReadingAsked() {
  const [isAsked, setAsked] = useState(false)
  useEffect(() => {
    const onAsked = () => setAsked(true)
    window.addEventListener(READING_ASKED, onAsked)
    return () => window.removeEventListener(READING_ASKED, onAsked)
  }, [])
  const question = useLazyCode(questionCode, isAsked)
  return question === undefined ? null : createElement(question)
}
