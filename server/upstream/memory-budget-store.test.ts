import { createMemoryBudgetStore } from './memory-budget-store'
import { describeBudgetStore } from '@/server/upstream/testing/budget-store-suite'

describeBudgetStore('memory', {
  open: async () => {
    const store = createMemoryBudgetStore()
    return { store, other: store }
  },
})
