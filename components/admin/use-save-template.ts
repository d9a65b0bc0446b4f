'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { toast } from '@/components/ui/toast'
import { changeTemplate, createTemplate, templates } from '@/lib/api/templates'
import type { NewTemplate, ReplyTemplate } from '@/lib/contract/reply-template'

/** Saves a template under its id, or a new one. */
export function useSaveTemplate(id: string | null, onSaved: (template: ReplyTemplate) => void) {
  const t = useTranslations('templates')
  const client = useQueryClient()
  const { mutate, isPending, isError } = useMutation({
    mutationFn: (next: NewTemplate) => (id === null ? createTemplate(next) : changeTemplate({ ...next, id })),
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: templates.queryKey })
      toast(t('saved'))
      onSaved(saved)
    },
  })
  return { save: mutate, isPending, isError }
}
