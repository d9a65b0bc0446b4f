import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Confirmation } from '@/components/ui/dialog-frame'
import { ProblemText } from '@/components/ui/notice'
import { toast } from '@/components/ui/toast'
import { api, keyOf } from '@/lib/api/call'
import type { NewTemplate, ReplyTemplate } from '@/lib/contract/reply-template'
import { useFirstFault } from './first-fault'
import { TemplateFields } from './template-fields'
import { TemplatePreview } from './template-preview'

type TemplateEditorProps = {
  /** Null: a new one. */
  template: ReplyTemplate | null
  language: ReplyTemplate['language']
  /** Told the name of what is not saved, or null. */
  onUnsaved: (name: string | null) => void
  onSaved: (template: ReplyTemplate) => void
  onClose: () => void
}

/** One template as a form, with the mail beside it as it will be. */
export function TemplateEditor({ template, language, onUnsaved, onSaved, onClose }: TemplateEditorProps) {
  const t = useTranslations('templates')
  const saved = { name: template?.name ?? '', subject: template?.subject ?? '', body: template?.body ?? '' }
  const [draft, setDraft] = useState(saved)
  const [isTried, setTried] = useState(false)
  const { form, show } = useFirstFault()
  const { save, isPending, isError } = useSaveTemplate(template?.id ?? null, onSaved)
  const isChanged = draft.name !== saved.name || draft.subject !== saved.subject || draft.body !== saved.body
  const unsaved = isChanged ? draft.name.trim() || t('newName') : null
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  const set = (change: Partial<typeof draft>) => setDraft((now) => ({ ...now, ...change }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const next: NewTemplate = {
      language,
      name: draft.name.trim(),
      subject: draft.subject.trim(),
      body: draft.body.trim(),
    }
    if (next.name !== '' && next.subject !== '' && next.body !== '') save(next)
    else show()
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid grid-cols-1 gap-5 desk:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <TemplateFields draft={draft} language={language} isNew={template === null} isTried={isTried} onChange={set} />
        <ProblemText text={isError ? t('saveFailed') : null} />
        <div className="flex flex-wrap items-center gap-2">
          {template !== null && <RemoveButton template={template} onRemoved={onClose} />}
          <span role="status" className="flex-1 text-right text-xs text-mute">
            {isChanged && t('unsaved')}
          </span>
          <Button
            disabled={!isChanged && template !== null}
            onClick={template === null ? onClose : () => setDraft(saved)}
          >
            {t('discard')}
          </Button>
          <Button type="submit" variant="primary" busy={isPending} disabled={!isChanged}>
            {t('save')}
          </Button>
        </div>
      </div>
      <TemplatePreview draft={draft} language={language} />
    </form>
  )
}

/** Saves a template under its id, or a new one. */
function useSaveTemplate(id: string | null, onSaved: (template: ReplyTemplate) => void) {
  const t = useTranslations('templates')
  const client = useQueryClient()
  const { mutate, isPending, isError } = useMutation({
    mutationFn: (body: NewTemplate) =>
      id === null ? api('POST /api/templates', { body }) : api('PUT /api/templates/[id]', { params: { id }, body }),
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: keyOf('GET /api/templates') })
      toast(t('saved'))
      onSaved(saved)
    },
  })
  return { save: mutate, isPending, isError }
}

function RemoveButton({ template, onRemoved }: { template: ReplyTemplate; onRemoved: () => void }) {
  const t = useTranslations('templates')
  const common = useTranslations('common')
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('DELETE /api/templates/[id]', { params: { id: template.id } }),
    onSuccess: async () => {
      onRemoved()
      toast(t('removed'))
      await client.invalidateQueries({ queryKey: keyOf('GET /api/templates') })
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
        <Confirmation
          text={t('removeBody')}
          actions={
            <>
              <Button autoFocus onClick={() => setAsking(false)}>
                {common('cancel')}
              </Button>
              <Button variant="danger" busy={isPending} onClick={() => mutate()}>
                {t('remove')}
              </Button>
            </>
          }
        />
      </Dialog>
    </>
  )
}
