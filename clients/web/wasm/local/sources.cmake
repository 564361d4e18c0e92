# Which sources of weftd the server in a page stands on, besides all of weft_document and what is below that: what needs no socket,
# thread, folder or token. Of each target those that match. For the module, and for the test that compiles the same natively.
set(local_targets weft_base weft_codec weft_access weft_store weft_cluster_none weft_net weft_past weft_world weft_host weft_dispatch)
set(local_weft_base "^(buffer|clock|log|memory|ring)\\.c$")
set(local_weft_codec "\\.c$")
set(local_weft_access "^(book|usage)\\.c$")
set(local_weft_store "^(bound|chain|cut|fail|memory|memory_read|seen|store)\\.c$")
set(local_weft_cluster_none "\\.c$")
set(local_weft_net "^streams\\.c$")
set(local_weft_past "\\.c$")
set(local_weft_world "\\.c$")
set(local_weft_host "\\.c$")
set(local_weft_dispatch "\\.c$")
# Of these, what it has its own for, or does without.
set(local_not "^(lease|runner|runner_share|dispatch_metrics)\\.c$")
# Its own.
set(local_own access lease local net runner store thread)
