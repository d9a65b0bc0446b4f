'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'
import { createTriageVersions } from '@/lib/inbox/triage-versions'
import { createUndoSteps } from '@/lib/inbox/undo-steps'

const createMemory = () => ({ steps: createUndoSteps(), versions: createTriageVersions() })

export type TriageMemoryValue = ReturnType<typeof createMemory>

const Memory = createContext<TriageMemoryValue | null>(null)

/** What was decided in this tab, so that it can be taken back from any screen. */
export function TriageMemory({ children }: { children: ReactNode }) {
  const [memory] = useState(createMemory)
  return <Memory value={memory}>{children}</Memory>
}

export function useTriageMemory(): TriageMemoryValue {
  const memory = useContext(Memory)
  if (memory === null) throw new Error('TriageMemory is missing')
  return memory
}
