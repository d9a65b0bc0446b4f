import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { toast } from '@/components/ui/toast'
import type { EndpointName } from '@/lib/contract/endpoints'

export type FieldErrors = { readonly [field: string]: string | null | undefined }

export type SaveOptions<Values, Answer> = {
  send: (values: Values) => Promise<Answer>
  successMessage?: string | ((answer: Answer, values: Values) => string | null)
  /** Why saving failed: a text, or errors by field. Undefined shows the common text. */
  failureMessage?: (error: Error, values: Values) => string | FieldErrors | undefined
  /** The queries of this endpoint, and of all below its path, are invalidated whether or not saving succeeds. */
  invalidate?: EndpointName | 'all'
  onSaved?: (answer: Answer, values: Values) => void
}

/** Sends a change like `useSaveMutation`, and reports a failure by a toast. */
export function useSave<Values = void, Answer = unknown>(options: SaveOptions<Values, Answer>) {
  return useSaveMutation(options, (problem) => toast(problem, { tone: 'error' }))
}

/**
 * Sends a change. The caller shows the `problem` or the errors of fields. A second change waits for the first; without
 * a network it fails at once.
 */
export function useSaveMutation<Values = void, Answer = unknown>(
  { send, successMessage, failureMessage, invalidate, onSaved }: SaveOptions<Values, Answer>,
  onProblem?: (problem: string) => void,
) {
  const client = useQueryClient()
  const t = useTranslations('common')
  const refetch = async () => {
    if (invalidate === undefined) return
    const isAffected = (name: unknown) => invalidate === 'all' || String(name).startsWith(invalidate)
    await client.invalidateQueries({ predicate: ({ queryKey: [name] }) => isAffected(name) })
  }
  const describeFailure = (cause: Error, values: Values) => failureMessage?.(cause, values) ?? t('failed')
  const { mutate, isPending, error, data, variables } = useMutation({
    mutationFn: send,
    networkMode: 'always',
    scope: { id: useId() },
    onSuccess: async (answer, values) => {
      // The answers on screen are refetched first, because the pressed button may disappear with them.
      await refetch()
      const message = typeof successMessage === 'function' ? successMessage(answer, values) : successMessage
      if (message) toast(message)
      onSaved?.(answer, values)
    },
    onError: (cause, values) => {
      const failure = describeFailure(cause, values)
      if (typeof failure === 'string') onProblem?.(failure)
      void refetch()
    },
  })
  const failure = error && describeFailure(error, variables as Values)
  return {
    save: mutate,
    busy: isPending,
    error,
    answer: data,
    problem: typeof failure === 'string' ? failure : null,
    fieldErrors: typeof failure === 'string' ? null : failure,
  }
}
