import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import type { WorkSettings, WorkSettingsChange } from '@/lib/contract/work-settings'

/** Saves settings of the work and says how that went; `onSaved` gets them as they are then. */
export function useSaveWork(onSaved: (settings: WorkSettings) => void) {
  const t = useTranslations('work')
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const save = async (change: WorkSettingsChange) => {
    setBusy(true)
    try {
      onSaved(await api('PATCH /api/settings', { body: change }))
      toast(t('saved'))
      // Rows and numbers are others now, on this tab at once.
      void client.invalidateQueries()
    } catch {
      toast(t('failed'), { tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return { busy, save }
}
