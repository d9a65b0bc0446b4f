import { useEffect } from 'react'

export function useTitleCount(count: number): void {
  useEffect(() => {
    document.title = replaceTitleCount(document.title, count)
    return () => {
      document.title = replaceTitleCount(document.title, 0)
    }
  }, [count])
}

/** Replaces the count that a title begins with; 0 removes it. */
export function replaceTitleCount(title: string, count: number): string {
  const bareTitle = title.replace(/^\(\d+\) /, '')
  return count > 0 ? `(${count}) ${bareTitle}` : bareTitle
}
