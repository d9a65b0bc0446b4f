'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { toast } from '@/components/ui/toast'
import { deleteTemplate, templates } from '@/lib/api/templates'
import type { ReplyTemplate } from '@/lib/contract/reply-template'

export function TemplatesRemove({ template, onRemoved }: { template: ReplyTemplate; onRemoved: () => void }) {
  const t = useTranslations('templates')
  const common = useTranslations('common')
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: () => deleteTemplate(template.id),
    onSuccess: async () => {
      onRemoved()
      toast(t('removed'))
      await client.invalidateQueries({ queryKey: templates.queryKey })
    },
    onError: () => {
      setAsking(false)
      toast(t('removeFailed'), { tone: 'error' })
    },
  })
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t('remove')}
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={t('removeTitle', { name: template.name })}>
        <div className="flex flex-col gap-5 px-5 pb-5">
          <p className="text-sm text-mute">{t('removeBody')}</p>
          <div className="flex justify-end gap-2">
            <Button autoFocus onClick={() => setAsking(false)}>
              {common('cancel')}
            </Button>
            <Button variant="danger" busy={isPending} onClick={() => mutate()}>
              {t('remove')}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
