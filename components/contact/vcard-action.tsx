'use client'

import { Contact } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { toast } from '@/components/ui/toast'
import { Spinner } from '@/components/ui/spinner'
import type { LeadRef } from '@/lib/contract/lead'
import { downloadVcard } from './download-vcard'

type VcardActionProps = { lead: LeadRef; className: string }

/** The person as a file for an address book; an export like any other, and logged as one. */
export function VcardAction({ lead, className }: VcardActionProps) {
  const t = useTranslations('lead')
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const isSaved = await downloadVcard(lead, t('vcardPurpose'))
    setBusy(false)
    if (!isSaved) toast(t('vcardFailed'), { tone: 'error' })
  }
  return (
    <button
      type="button"
      disabled={isBusy}
      aria-busy={isBusy || undefined}
      onClick={() => void save()}
      className={className}
    >
      {isBusy ? <Spinner className="size-3.5" /> : <Contact aria-hidden className="size-3.5" />}
      {t('vcard')}
    </button>
  )
}
