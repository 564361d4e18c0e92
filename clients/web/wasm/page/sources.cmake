# Which sources of weftd the server in a page stands on, besides all of weft_document and what is below that: what needs no socket,
# thread, folder or token. Of each target those that match.
set(page_targets weft_base weft_codec weft_access weft_store weft_cluster_none weft_net weft_past weft_world weft_host weft_dispatch weft_instance weft_local)
set(page_weft_base "^(buffer|clock|log|memory|ring)\\.c$")
set(page_weft_codec "\\.c$")
set(page_weft_access "^(book|usage)\\.c$")
set(page_weft_store "^(bound|chain|cut|fail|memory|memory_read|seen|store)\\.c$")
set(page_weft_cluster_none "\\.c$")
set(page_weft_net "^streams\\.c$")
set(page_weft_past "\\.c$")
set(page_weft_world "\\.c$")
set(page_weft_host "\\.c$")
set(page_weft_dispatch "\\.c$")
set(page_weft_instance "\\.c$")
set(page_weft_local "\\.c$")
# Of these, what it or server/local has its own for, or what it does without.
set(page_not "/(host/(folder_id|lease|runner|runner_share)|dispatch/admin/metrics)\\.c$")
# Its own.
set(page_own access lease page random relay store)
