'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { toast } from '@/components/ui/toast'
import { exportEmails, exportHistory } from '@/lib/api/exports'
import type { EmailsAnswer, NewExport } from '@/lib/contract/export'
import { reasonOf } from './use-export-run'
import { writeClipboard } from './write-clipboard'

/** What Outlook, Gmail and Mail all take for a list of recipients. */
const BETWEEN = '; '

/** Fetches addresses and copies them. Where the browser refuses to, they wait for a second press, and are not logged twice. */
export function useCopyEmails(onDone: () => void) {
  const t = useTranslations('export')
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [waiting, setWaiting] = useState<EmailsAnswer | null>(null)

  const copy = async (request: NewExport) => {
    setBusy(true)
    setError(null)
    const fetched = waiting === null ? exportEmails(request) : Promise.resolve(waiting)
    try {
      const isCopied = await writeClipboard(fetched.then(({ emails }) => emails.join(BETWEEN)))
      const answer = await fetched
      if (isCopied) {
        const { emails, without } = answer
        toast(without === 0 ? t('copy.done', { count: emails.length }) : doneWithout(emails.length, without))
        onDone()
      } else {
        setWaiting(answer)
        setError(t('copy.blocked'))
      }
    } catch (failure) {
      setError(t(`failed.${reasonOf(failure)}`))
    } finally {
      setBusy(false)
      void client.invalidateQueries({ queryKey: exportHistory.queryKey })
    }
  }
  const doneWithout = (count: number, without: number) => t('copy.doneWithout', { count, without })
  return { isBusy, error, isWaiting: waiting !== null, copy }
}
